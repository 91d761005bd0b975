import { Component, type ReactNode } from "react";
import { ErrorState } from "./states.tsx";

/**
 * Shows that something below it broke, and offers to load the page anew: a script of an older build, for one, is gone
 * after a deployment.
 */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    if (this.state.error === undefined) return this.props.children;
    return <ErrorState error={this.state.error} onRetry={() => location.reload()} />;
  }
}
