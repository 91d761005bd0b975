/** The text of a cell, or of a string that cells share, in the making: its runs joined, without the readings of East Asian signs. */
export class CellText {
  #text = "";
  #isText = false;
  #isReading = false;

  open(name: string): void {
    if (name === "rPh") this.#isReading = true;
    else this.#isText = (name === "t" || name === "v") && !this.#isReading;
  }

  add(piece: string): void {
    if (this.#isText) this.#text += piece;
  }

  close(name: string): void {
    this.#isText = false;
    if (name === "rPh") this.#isReading = false;
  }

  /** The whole text without surrounding spaces, and begins the next one. */
  take(): string {
    const text = this.#text.trim();
    this.#text = "";
    // How Excel writes characters that XML lacks (ECMA-376, part 1, 22.9.2.19).
    return text.replaceAll(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  }
}
