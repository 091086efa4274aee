/* The minimap: all of a large picture, small, and the part of it that is seen. A drag moves that part. */

class Minimap {
  constructor(canvas, stage) {
    Object.assign(this, { canvas, stage, drawing: null, part: 1 });
    Object.assign(stage, { onMove: () => this.follow(), onOpen: () => this.stepAside() });
    const go = (event) => {
      if (!event.buttons) return;
      const bounds = canvas.getBoundingClientRect();
      const { width, height, unit } = stage.box;
      const x = (event.clientX - bounds.left) / this.scale;
      const y = (event.clientY - bounds.top) / this.scale;
      stage.window = { x: x - width / 2, y: y - height / 2, unit };
    };
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      go(event);
    });
    canvas.addEventListener("pointermove", go);
  }

  /** Show a drawing. */
  show(drawing) {
    this.drawing = drawing;
    this.canvas.hidden = true;
    this.follow();
  }

  /** Follow the window; be hidden where all of a drawing is seen, or could be, and read. */
  follow() {
    const wasHidden = this.canvas.hidden;
    this.canvas.hidden = !this.drawing?.layout || this.stage.fits || this.stage.showsAll;
    if (wasHidden) this.draw();
    else this.drawWindow();
  }

  /** Paint all nodes in the colours that they have now; kept, so that moving paints one picture and one frame. */
  draw() {
    if (this.canvas.hidden) return;
    const { width, height, boxes } = this.drawing.layout;
    const part = this.part * Math.min(1, this.stage.size.across / 800); // of a telephone it takes no more than of a screen
    this.scale = Math.min((Minimap.WIDTH * part) / width, (Minimap.HEIGHT * part) / height);
    const [across, down] = [Math.ceil(width * this.scale), Math.ceil(height * this.scale)];
    const sharp = window.devicePixelRatio || 1;
    Object.assign(this.canvas, { width: across * sharp, height: down * sharp });
    Object.assign(this, { across, down });
    Object.assign(this.canvas.style, { width: `${across}px`, height: `${down}px` });
    this.picture = document.createElement("canvas");
    Object.assign(this.picture, { width: across * sharp, height: down * sharp });
    const brush = this.picture.getContext("2d");
    brush.scale(sharp * this.scale, sharp * this.scale);
    const colours = new Map();
    for (const [id, box] of boxes) {
      const { element, role } = this.partOf(id);
      if (!colours.has(role)) colours.set(role, getComputedStyle(element).stroke);
      brush.fillStyle = colours.get(role);
      const least = 1 / this.scale; // a pixel at least
      brush.fillRect(box.x, box.y, Math.max(box.width, least), Math.max(box.height, least));
    }
    this.drawWindow();
  }

  /** Stand in the corner where fewest nodes are, then fewest lines, smaller if it covered one. */
  stepAside() {
    if (this.canvas.hidden) return;
    for (this.part of [1, 0.7, 0.5]) {
      this.draw();
      if (this.standInCorner() === 0) return;
    }
  }

  /** Returns how many nodes it covers. */
  standInCorner() {
    const { x, y, width, height, unit } = this.stage.box;
    const [across, down] = [(this.across + 10) * unit, (this.down + 10) * unit];
    const { boxes, lanes } = this.drawing.layout;
    const pieces = lanes.ways.flatMap(({ points }) => points.slice(1).map((point, at) => spanned(point, points[at])));
    const hidden = (all, left, top) => all.filter((one) =>
      one.x < left + across && one.x + one.width > left && one.y < top + down && one.y + one.height > top).length;
    const [right, bottom] = [x + width - across, y + height - down];
    const cost = (...at) => hidden([...boxes.values()], ...at) * (pieces.length + 1) + hidden(pieces, ...at);
    const corners = [["", right, bottom], ["left", x, bottom], ["top", right, y]].map(([name, ...at]) => [name, cost(...at)]);
    const [best, least] = corners.reduce((one, other) => (other[1] < one[1] ? other : one));
    for (const name of ["left", "top"]) this.canvas.classList.toggle(name, name === best);
    return Math.floor(least / (pieces.length + 1));
  }

  partOf(id) {
    const element = this.drawing.group(id).querySelector("rect");
    return { element, role: element.parentNode.getAttribute("class").match(/role-\S+/)[0] };
  }

  drawWindow() {
    if (this.canvas.hidden || !this.picture) return;
    const brush = this.canvas.getContext("2d");
    const { x, y, width, height } = this.stage.box;
    const sharp = window.devicePixelRatio || 1;
    const at = (number) => number * this.scale * sharp;
    brush.clearRect(0, 0, this.canvas.width, this.canvas.height);
    brush.drawImage(this.picture, 0, 0);
    brush.strokeStyle = getComputedStyle(this.canvas).color;
    brush.lineWidth = 2 * sharp;
    brush.strokeRect(at(x), at(y), at(width), at(height));
  }
}

/** The room that a piece of an arrow takes. */
const spanned = ([x, y], [otherX, otherY]) =>
  ({ x: Math.min(x, otherX), y: Math.min(y, otherY), width: Math.abs(x - otherX), height: Math.abs(y - otherY) });

Object.assign(Minimap, { WIDTH: 160, HEIGHT: 220 });
