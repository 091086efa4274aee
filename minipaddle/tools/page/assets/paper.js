/* Paper: which sheets a picture is printed on. Read before: drawing.js.
 *
 * A picture that can be read on one sheet is printed by the style sheet alone. Of a larger one each sheet has a part of
 * its own, drawn when a browser is about to print, for a browser would cut through nodes.
 */

const SHEETS = [[700, 880], [1030, 560]]; // pixels of A4 for a drawing, upright and lying
const PRINTED = 0.61; // pixels for a unit at which the text of a drawing, 11 units high, is 5 points high
const MOST_SHEETS = 12; // more are left to the browser, as a picture of 300 rounds
const AROUND = 12; // units about a box, for the heads of arrows
const EARLIER = 0.3; // of a sheet: so much may be left free in order to cut nothing

class Paper {
  constructor(room, stage) {
    Object.assign(this, { room, stage, drawing: null });
    window.addEventListener("beforeprint", () => this.draw());
    window.addEventListener("afterprint", () => this.room.replaceChildren());
  }

  /** Choose how the sheets lie, and how many units of height one has room for. */
  show(drawing) {
    this.drawing = drawing;
    const { width, height } = drawing.layout;
    const [upright, lying] = SHEETS.map(([across, down]) => ({ down, wide: across / width, whole: Math.min(across / width, down / height) }));
    const isWhole = Math.max(upright.whole, lying.whole) >= PRINTED;
    const lies = isWhole ? lying.whole > upright.whole : upright.wide < PRINTED;
    const { down, wide } = lies ? lying : upright;
    this.high = isWhole ? height : down / Math.min(wide, 1);
    document.body.classList.toggle("lying", lies);
    this.stage.room.classList.toggle("one-sheet", isWhole);
  }

  /** Draw each sheet. They stand before the picture, so that the heads of arrows are found in what is seen. */
  draw() {
    const { width, height } = this.drawing.layout;
    const ends = this.ends(height);
    if (ends.length < 2 || ends.length > MOST_SHEETS) return;
    this.room.className = "view"; // with its rules; not before, for it is the first of them
    this.room.replaceChildren(...ends.map((end, place) => {
      const sheet = this.drawing.svg.cloneNode(true);
      const start = ends[place - 1] ?? 0;
      sheet.removeAttribute("style");
      sheet.setAttribute("viewBox", `0 ${start} ${width} ${end - start}`);
      return sheet;
    }));
  }

  /** Where each sheet ends: all are about as high, and as few boxes as can be are cut. */
  ends(height) {
    const { high } = this;
    const solids = this.drawing.layout.solids().map((one) => [one.y - AROUND, one.y + one.height + AROUND]);
    const all = [];
    for (let start = 0; start < height; start = all.at(-1)) {
      const left = Math.ceil((height - start) / high);
      const wanted = start + (height - start) / left;
      const near = [wanted, ...solids.flat()].filter((end) => end <= start + high && Math.abs(end - wanted) <= high * EARLIER);
      const cost = (end) => solids.filter(([top, bottom]) => top < end && bottom > end).length * height + Math.abs(end - wanted);
      all.push(left === 1 ? height : near.reduce((one, other) => (cost(other) < cost(one) ? other : one)));
    }
    return all;
  }
}
