import entries from "../../../docs/changelog.json";
import { Badge } from "../components/badge.tsx";
import { Icon } from "../components/icon.tsx";
import { inline } from "../components/inline.tsx";
import { Page } from "../layout/page.tsx";
import "./page.css";

/** Kinds of changes, in the order in which a day lists them, with the tone of their names. */
const kinds = [
  { kind: "added", name: "Added", tone: "good" },
  { kind: "changed", name: "Changed", tone: "warning" },
  { kind: "deprecated", name: "Deprecated", tone: "warning" },
  { kind: "removed", name: "Removed", tone: "bad" },
  { kind: "fixed", name: "Fixed", tone: "plain" },
] as const;

const longDate = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" });

/** Changes that clients of the API can see, by date. */
export default function ChangelogPage() {
  return (
    <Page
      title="Changelog"
      description="What clients of the API can see, by date."
      actions={
        <a href="/changelog.json" className="button button-secondary">
          <Icon name="external" />
          JSON
        </a>
      }
    >
      {entries.map(({ date, changes }) => (
        <section key={date} className="changes" aria-labelledby={`changes-${date}`}>
          <h2 id={`changes-${date}`}>
            <a href={`#changes-${date}`}>
              <time dateTime={date}>{longDate.format(new Date(date))}</time>
            </a>
          </h2>
          <div className="changes-kinds">
            {kinds
              .map((each) => ({ ...each, texts: changes.filter(({ kind }) => kind === each.kind) }))
              .filter(({ texts }) => texts.length > 0)
              .map(({ kind, name, tone, texts }) => (
                <div key={kind} className="changes-kind">
                  <h3>
                    <Badge tone={tone}>{name}</Badge>
                  </h3>
                  <ul>
                    {texts.map(({ text }) => (
                      <li key={text}>{inline(text)}</li>
                    ))}
                  </ul>
                </div>
              ))}
          </div>
        </section>
      ))}
    </Page>
  );
}
