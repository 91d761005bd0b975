/** The product's logo and name. */
export function Brand() {
  return (
    <span className="brand">
      <img src="/icon.svg" alt="" width="28" height="28" />
      <span>
        <span className="brand-name">Funding Opportunities</span>
        <span className="brand-part">Data API</span>
      </span>
    </span>
  );
}
