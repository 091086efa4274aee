/* A stage: the part of the page that a picture is seen in. Pan and zoom: the window is a part of the drawing.
 *
 * The picture is as large as the zoom makes it, and is moved behind the stage as one sheet: so a browser paints it once,
 * and again only for another zoom.
 *
 * `onPick(node, event)` is called for a click; the node is null beside all nodes.
 */
"use strict";

const $ = (id) => document.getElementById(id);

function element(tag, text, classes) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (classes) made.className = classes;
  return made;
}

const BY_WHEEL = 0.002; // zoom for a pixel of a wheel: a notch is about 100 of them
const BY_PINCH = 0.01; // two fingers on a touchpad move fewer
const WIDEST_OPEN = 0.5; // units for a pixel: a drawing of one node is not blown up beyond twice its size
const SMALLEST = 1.1; // units for a pixel at which the text of a drawing, 11 units high, is 10 pixels high

const CLEAR = 4; // between what a window leaves out and its border
const MOVED = 0.3; // of a window: so far it is moved in order to cut nothing

class Stage {
  constructor(room, onPick, onZoom = () => {}) {
    Object.assign(this, { room, onPick, onZoom, onMove: () => {}, onOpen: () => {}, onRoom: () => {}, svg: null });
    this.whole = new Map(); // picture -> its first viewBox
    this.windows = new Map(); // picture -> its upper left corner, and how many units a pixel shows
    this.fitted = new Set(); // pictures of which all is seen, in a room of any size
    this.known = null; // how large the room is
    this.listen();
  }

  /** Show a picture, where it was left; `whole` is the box around all of it, if it is not its viewBox. */
  show(svg, whole) {
    this.svg = svg;
    const known = this.whole.has(svg);
    const [x, y, width, height] = whole ? [] : svg.getAttribute("viewBox").split(/[ ,]+/).map(Number);
    if (whole || !known) this.whole.set(svg, whole ?? { x, y, width, height });
    const all = this.whole.get(svg);
    svg.setAttribute("viewBox", `${all.x} ${all.y} ${all.width} ${all.height}`);
    delete svg.dataset.size; // of the one before
    if (known && !this.fitted.has(svg)) this.draw();
    else this.fit();
  }

  /** How large the room is: asked once, for a browser lays out all of a picture before it answers. */
  get size() {
    return (this.known ??= { across: this.room.clientWidth, down: this.room.clientHeight });
  }

  get box() {
    const { x, y, unit } = this.windows.get(this.svg);
    const { across, down } = this.size;
    return { x, y, unit, width: across * unit, height: down * unit };
  }

  set window(next) {
    this.windows.set(this.svg, next);
    this.fitted.delete(this.svg);
    this.draw();
  }

  /** Bring the sheet in line with the window, and with the room that there is now. */
  draw() {
    if (!this.svg) return;
    const { x, y, unit } = this.windows.get(this.svg);
    const all = this.whole.get(this.svg);
    const size = `${all.width / unit} ${all.height / unit}`; // a style has fewer digits, and never equals it
    if (this.svg.dataset.size !== size) {
      Object.assign(this.svg.style, { width: `${all.width / unit}px`, height: `${all.height / unit}px` });
      this.svg.dataset.size = size;
      this.onZoom(`${Math.round(100 / unit)} %`);
    }
    this.svg.style.transform = `translate(${(all.x - x) / unit}px, ${(all.y - y) / unit}px)`;
    this.onMove();
  }

  /** Follow the room, which may have another size than before: what opened is opened anew while nobody has moved it. */
  settle() {
    this.known = null;
    if (this.opened?.window && this.opened.window === this.windows.get(this.svg)) return this.onRoom();
    if (this.fitted.has(this.svg)) return this.fit();
    if (this.svg) this.keepInside();
  }

  /** Along a side where there is room for all of a drawing, show all of it: moved no more than that needs. */
  keepInside() {
    const now = this.box;
    const all = this.whole.get(this.svg);
    const inside = (at, room, first, long) => (long <= room ? kept(at, first + long - room, first) : at);
    this.window = { x: inside(now.x, now.width, all.x, all.width), y: inside(now.y, now.height, all.y, all.height), unit: now.unit };
  }

  /** Show all of a drawing, in the middle. */
  fit() {
    const all = this.whole.get(this.svg);
    const { across, down } = this.size;
    const least = Math.max(all.width / across, all.height / down) || 1;
    const unit = Math.max(least > SMALLEST ? least * 1.02 : Math.min(least * 1.02, SMALLEST), WIDEST_OPEN); // with a margin, if it can be read
    const spare = { x: across * unit - all.width, y: down * unit - all.height };
    this.window = { x: all.x - spare.x / 2, y: all.y - spare.y / 2, unit };
    this.fitted.add(this.svg);
  }

  /** Whether all of a drawing can be seen at once, and read. */
  get fits() {
    return this.holds(this.whole.get(this.svg));
  }

  /** Whether all of a drawing is in the window. */
  get showsAll() {
    const [now, all] = [this.box, this.whole.get(this.svg)];
    const isIn = (at, size) => all[at] >= now[at] - 1 && all[at] + all[size] <= now[at] + now[size] + 1;
    return isIn("x", "width") && isIn("y", "height");
  }

  holds({ width, height }) {
    return Math.max(width / this.size.across, height / this.size.down) <= SMALLEST;
  }

  /** Show all of a drawing if it can be read so, else the part about a group, at its own size or a little smaller.
   *
   * `solids` are boxes: the window is moved until its border cuts none of them, or as few as can be.
   */
  open(group, solids = []) {
    this.opened = null;
    if (this.fits || !group) {
      this.fit();
      this.opened = { window: this.windows.get(this.svg) };
      return;
    }
    const all = this.whole.get(this.svg);
    const [x, y] = cornerOf(group);
    const [width, height] = group.dataset.size.split(" ").map(Number);
    let best = { cut: Infinity };
    for (const unit of [1, (1 + SMALLEST) / 2, SMALLEST]) {
      const [across, down] = [this.size.across * unit, this.size.down * unit];
      const up = windowAlong(solids, "y", "height", { at: y, length: height }, all.y, all.height, down, () => true);
      const seen = (one) => one.y < up.at + down && one.y + one.height > up.at;
      const aside = windowAlong(solids, "x", "width", { at: x, length: width }, all.x, all.width, across, seen);
      const cut = up.cut + aside.cut;
      if (cut < best.cut) best = { cut, window: { x: aside.at, y: up.at, unit } };
    }
    this.window = best.window;
    this.opened = best;
    this.onOpen();
  }

  /** Keep the zoom when the drawing changes, though all of it was seen. */
  hold() {
    this.fitted.delete(this.svg);
  }

  /** Let the text be large enough to read, about a group; nothing changes where it is already. */
  makeReadable(group) {
    const { unit } = this.box;
    if (unit > SMALLEST && group) this.zoom(1 / unit, this.middleOf(group));
  }

  middleOf(group) {
    const { left, top, width, height } = group.getBoundingClientRect();
    return this.pointIn({ clientX: left + width / 2, clientY: top + height / 2 });
  }

  zoom(factor, at) {
    const now = this.box;
    const centre = at ?? { x: now.x + now.width / 2, y: now.y + now.height / 2 };
    const unit = Math.min(Math.max(now.unit * factor, 0.05), 50);
    const by = unit / now.unit;
    this.window = { x: centre.x - (centre.x - now.x) * by, y: centre.y - (centre.y - now.y) * by, unit };
  }

  pointIn(event) {
    const now = this.box;
    const bounds = this.room.getBoundingClientRect();
    return { x: now.x + (event.clientX - bounds.left) * now.unit, y: now.y + (event.clientY - bounds.top) * now.unit };
  }

  /** Move the window so that a node is in it, and large enough to read: of one that is larger than the window, its corner. */
  bringIntoView(group) {
    if (!group) return;
    const bounds = this.room.getBoundingClientRect();
    const node = group.getBoundingClientRect();
    const middle = this.middleOf(group);
    const outside =
      node.left < bounds.left || node.right > bounds.right || node.top < bounds.top || node.bottom > bounds.bottom;
    const small = node.height < 14;
    if (!outside && !small) return;
    const now = this.box.unit;
    const large = Math.max(1, (1.2 * node.width) / bounds.width, (1.2 * node.height) / bounds.height);
    const unit = small ? (now * node.height) / 40 : Math.min(now * large, Math.max(now, SMALLEST));
    const corner = this.pointIn({ clientX: node.left, clientY: node.top });
    const begin = (centre, first, long, room) => (long * now > room * unit ? first - CLEAR * unit : centre - (room * unit) / 2);
    this.window = { x: begin(middle.x, corner.x, node.width, bounds.width), y: begin(middle.y, corner.y, node.height, bounds.height), unit };
  }

  listen() {
    const pointers = new Map(); // fingers that are down, and where
    let moved = false;
    this.room.addEventListener("wheel", (event) => this.roll(event), { passive: false });
    this.room.addEventListener("pointerdown", (event) => {
      if (event.target.closest(".minimap")) return;
      if (!pointers.size) moved = false;
      pointers.set(event.pointerId, event);
    });
    window.addEventListener("pointermove", (event) => {
      const last = pointers.get(event.pointerId);
      if (!last) return;
      const [dx, dy] = [event.clientX - last.clientX, event.clientY - last.clientY];
      if (!moved && Math.hypot(dx, dy) < 3) return;
      moved = true;
      if (pointers.size === 2) this.pinch(pointers, event);
      else this.pan(-dx, -dy);
      pointers.set(event.pointerId, event);
    });
    for (const end of ["pointerup", "pointercancel"])
      window.addEventListener(end, (event) => pointers.delete(event.pointerId));
    this.room.addEventListener("click", (event) => {
      if (!moved && event.target.closest(".view")) this.onPick(event.target.closest(".node"), event);
      moved = false;
    });
    new ResizeObserver(() => this.settle()).observe(this.room);
  }

  /** A wheel zooms, in proportion; sideways, or with Shift, it pans. A browser tells a pinch as a wheel with Ctrl. */
  roll(event) {
    event.preventDefault();
    const pixels = [1, 16, this.size.down][event.deltaMode]; // it may count lines, or pages
    const [across, down] = [event.deltaX * pixels, event.deltaY * pixels];
    if (event.ctrlKey) this.zoom(Math.exp(down * BY_PINCH), this.pointIn(event));
    else if (event.shiftKey || Math.abs(across) > Math.abs(down)) this.pan(across || down, 0);
    else this.zoom(Math.exp(down * BY_WHEEL), this.pointIn(event));
  }

  /** Move the window by so many pixels. */
  pan(across, down) {
    const { x, y, unit } = this.box;
    this.window = { x: x + across * unit, y: y + down * unit, unit };
  }

  /** Two fingers: zoom by how far they moved apart. */
  pinch(pointers, event) {
    const other = [...pointers.values()].find((one) => one.pointerId !== event.pointerId);
    const apart = (one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) || 1;
    this.zoom(apart(pointers.get(event.pointerId)) / apart(event), this.pointIn(other));
  }
}

/** Where a window begins along one side of a drawing: about a group, and where it cuts the fewest boxes. Returns that, and how many. */
function windowAlong(solids, from, size, { at, length }, first, whole, room, isSeen) {
  if (whole <= room) return { at: first - (room - whole) / 2, cut: 0 };
  const wanted = Math.min(Math.max(at + length / 2 - room / 2, first), first + whole - room);
  const ends = [wanted]; // and where a box ends, just outside of the window
  const near = solids.filter(isSeen);
  for (const one of near) ends.push(one[from] + one[size] + CLEAR, one[from] - CLEAR - room, one[from] - CLEAR, one[from] + one[size] + CLEAR - room);
  const isCut = (start) => (one) => [start, start + room].some((end) => one[from] < end && one[from] + one[size] > end);
  const shows = (start) => Math.abs(start - wanted) <= room * MOVED && at >= start && at + length <= start + room;
  const tried = ends.filter((start) => start === wanted || shows(start)).map((start) => ({ at: start, cut: near.filter(isCut(start)).length }));
  const best = (one, other) => (other.cut < one.cut || (other.cut === one.cut && Math.abs(other.at - wanted) < Math.abs(one.at - wanted)) ? other : one);
  return tried.reduce(best);
}

/** Where a group was put in its drawing: known without asking the browser, who would lay out all of it. */
const cornerOf = (group) => group.getAttribute("transform").match(/-?[\d.]+/g).map(Number);
