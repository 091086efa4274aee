/* Paper: which sheets a picture is printed on. Read before: drawing.js.
 *
 * A picture that can be read on one sheet is printed by the style sheet alone. Of a larger one each sheet has a part of
 * its own, drawn when a browser is about to print, for a browser would cut through nodes.
 */

const SHEETS = [[700, 880], [1030, 560]]; // pixels of A4 for a drawing, upright and lying, below the head of the page
const LATER = 1.1; // so much more there is on the sheets after the first
const PRINTED = 0.61; // pixels for a unit at which the text of a drawing, 11 units high, is 5 points high
const MOST_SHEETS = 12; // more are left to the browser, as a picture of 300 rounds
const AROUND = 12; // units about a box, for the heads of arrows
const EARLIER = 0.3; // of a sheet: so much may be left free in order to cut nothing

class Paper {
  constructor(sheets, stage) {
    Object.assign(this, { sheets, stage, drawing: null });
    window.addEventListener("beforeprint", () => this.draw());
    window.addEventListener("afterprint", () => this.sheets.replaceChildren());
  }

  /** Choose how the sheets lie, and for how many units one has room. */
  show(drawing) {
    this.drawing = drawing;
    const { width, height } = drawing.layout;
    const [upright, lying] = SHEETS.map(([across, down]) => ({ across, down, wide: across / width, whole: Math.min(across / width, down / height) }));
    const isWhole = Math.max(upright.whole, lying.whole) >= PRINTED;
    const lies = isWhole ? lying.whole > upright.whole : upright.wide < PRINTED;
    const { across, down, wide } = lies ? lying : upright;
    const scale = Math.min(Math.max(wide, PRINTED), 1);
    this.room = isWhole ? { x: width, y: height } : { x: across / scale, y: down / scale };
    document.body.classList.toggle("lying", lies);
    this.stage.room.classList.toggle("one-sheet", isWhole);
  }

  /** Draw each sheet. They stand before the picture, so that the heads of arrows are found in what is seen. */
  draw() {
    const [across, down] = [this.parts("x", "width", 1), this.parts("y", "height", LATER)];
    const many = across.length * down.length;
    if (many < 2 || many > MOST_SHEETS) return;
    this.sheets.className = "view"; // with its rules; not before, for it is the first of them
    this.sheets.replaceChildren(...down.flatMap(([top, bottom]) => across.map(([left, right]) => {
      const sheet = this.drawing.svg.cloneNode(true);
      sheet.removeAttribute("style");
      sheet.setAttribute("viewBox", `${left} ${top} ${right - left} ${bottom - top}`);
      return sheet;
    })));
  }

  /** From where to where each sheet goes, along one side: all are about as long, and as few boxes as can be are cut. */
  parts(at, size, later) {
    const { layout } = this.drawing;
    const length = layout[size];
    const spans = layout.solids().map((one) => [one[at] - AROUND, one[at] + one[size] + AROUND]);
    const all = [];
    for (let start = 0; start < length; start = all.at(-1)[1]) {
      const [room, next] = [this.room[at] * (start ? later : 1), this.room[at] * later];
      const left = 1 + Math.max(0, Math.ceil((length - start - room) / next));
      const wanted = start + (length - start) / left;
      const near = [wanted, ...spans.flat()].filter((end) => end <= start + room && Math.abs(end - wanted) <= room * EARLIER);
      const cost = (end) => spans.filter(([first, last]) => first < end && last > end).length * length + Math.abs(end - wanted);
      all.push([start, left === 1 ? length : near.reduce((one, other) => (cost(other) < cost(one) ? other : one), start + room)]);
    }
    return all;
  }
}
