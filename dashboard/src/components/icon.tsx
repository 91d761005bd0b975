/** SVG paths on a grid of 16. The lines have the colour of the text beside them. */
const paths = {
  overview: "M2.5 2.5h4.5v6h-4.5z M9 2.5h4.5v3.5h-4.5z M9 8.5h4.5v5h-4.5z M2.5 11h4.5v2.5h-4.5z",
  key: "M10.5 9.5a4 4 0 1 0-3.4-1.9L2.5 12.2v1.3h2.4v-1.7h1.7l2-2a4 4 0 0 0 1.9-.3z M11 5.2v.1",
  usage: "M2.5 13.5h11 M4.5 11V7.5 M8 11V3.5 M11.5 11V5.5",
  requests: "M2.5 4h.01 M5.5 4h8 M2.5 8h.01 M5.5 8h8 M2.5 12h.01 M5.5 12h8",
  explorer: "M5.5 4.5L2 8l3.5 3.5 M10.5 4.5L14 8l-3.5 3.5 M9 3.5l-2 9",
  webhook: "M8 2.5a2.5 2.5 0 0 1 1.3 4.6L11.5 10.9 M8 5L5.3 9.8a2.5 2.5 0 1 1-2.3-1.3 M11.5 10.9a2 2 0 1 1-.8 1.6H6",
  account: "M8 8a2.75 2.75 0 1 0 0-5.5A2.75 2.75 0 0 0 8 8z M2.9 13.5a5.2 5.2 0 0 1 10.2 0",
  reference: "M3 3.2c2-.7 3.6-.5 5 .6 1.4-1.1 3-1.3 5-.6v9.3c-2-.7-3.6-.5-5 .6-1.4-1.1-3-1.3-5-.6z M8 3.8v9.3",
  changelog: "M8 4.5V8l2.5 1.5 M2.6 6.5a5.6 5.6 0 1 1-.1 2.5 M2.5 3.5v3h3",
  copy: "M5.5 5.5h8v8h-8z M10.5 5.5v-3h-8v8h3",
  download: "M8 2.5v7.5 M4.8 7L8 10.2 11.2 7 M2.5 13.5h11",
  check: "M3 8.5l3.2 3.2L13 4.8",
  plus: "M8 3v10 M3 8h10",
  more: "M3.5 8v.01 M8 8v.01 M12.5 8v.01",
  close: "M4 4l8 8 M12 4l-8 8",
  menu: "M2.5 4.5h11 M2.5 8h11 M2.5 11.5h11",
  warning: "M8 2.5l6 10.5H2z M8 6.5v3 M8 11.3v.01",
  info: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12z M8 7.5v3.3 M8 5.2v.01",
  external: "M6.5 3.5h-3v9h9v-3 M9 2.5h4.5V7 M13.5 2.5L7.5 8.5",
  rotate: "M13.5 8a5.5 5.5 0 1 1-1.7-4 M13.5 2v3h-3",
  revoke: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12z M3.8 3.8l8.4 8.4",
  bookmark: "M4 2.5h8v11l-4-3-4 3z",
  mail: "M2.5 3.5h11v9h-11z M2.5 4.5L8 9l5.5-4.5",
  feed: "M3 3.2a9.8 9.8 0 0 1 9.8 9.8 M3 7.4A5.6 5.6 0 0 1 8.6 13 M3.8 12.2v.01",
  play: "M4.5 2.8v10.4L13 8z",
  chevron: "M4 6l4 4 4-4",
  sun: "M8 10.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z M8 1.5v1.3 M8 13.2v1.3 M1.5 8h1.3 M13.2 8h1.3 M3.4 3.4l.9.9 M11.7 11.7l.9.9 M3.4 12.6l.9-.9 M11.7 4.3l.9-.9",
  moon: "M13.5 9.5A5.8 5.8 0 0 1 6.5 2.5a5.8 5.8 0 1 0 7 7z",
  system: "M2.5 3h11v8h-11z M6 13.5h4 M8 11v2.5",
  edit: "M9.5 4l2.5 2.5 M3 13l.6-3L10.9 2.7a1.4 1.4 0 0 1 2.4 2.4L6 12.4z",
  out: "M6.5 2.5h-4v11h4 M6.5 8h7 M10.5 5l3 3-3 3",
} as const;

export type IconName = keyof typeof paths;

/** Icon beside a text. Hidden from screen readers. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      className="icon"
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={paths[name]} />
    </svg>
  );
}
