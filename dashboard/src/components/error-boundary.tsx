import { Component, type ReactNode } from "react";
import { ErrorState } from "./states.tsx";

/**
 * Shows that a component below it failed, and offers to reload the page. One cause: after a deployment, the scripts of the
 * older build are gone.
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
