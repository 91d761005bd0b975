import { Link } from "wouter";
import { EmptyState } from "../components/states.tsx";
import { Page } from "../layout/page.tsx";

export function NotFound() {
  return (
    <Page title="Page not found">
      <EmptyState
        icon="info"
        title="There is nothing at this address"
        action={
          <>
            <Link href="/" className="button button-secondary">
              Go to the overview
            </Link>
            <Link href="/reference" className="button button-quiet">
              Read the reference
            </Link>
          </>
        }
      >
        The link may be old or mistyped.
      </EmptyState>
    </Page>
  );
}
