(function () {
  var svg = document.currentScript ? document.currentScript.closest('svg') : document.documentElement;
  var start = svg.getAttribute('viewBox').split(' ').map(Number), view = start.slice();
  var circles = {}, lines = [], up = {}, down = {}, selected = null, drag = null, moved = false;
  svg.querySelectorAll('.c').forEach(function (g) { circles[g.dataset.c] = g; });
  svg.querySelectorAll('.e').forEach(function (p) {
    var ends = p.dataset.e.split(' ');
    lines.push([p, ends[0], ends[1]]);
    (down[ends[0]] = down[ends[0]] || []).push(ends[1]);
    (up[ends[1]] = up[ends[1]] || []).push(ends[0]);
  });
  function reach(from, links) {
    var seen = {}, left = [from];
    seen[from] = 1;
    while (left.length) (links[left.pop()] || []).forEach(function (c) { if (!seen[c]) { seen[c] = 1; left.push(c); } });
    return seen;
  }
  function select(concept) {
    selected = concept === selected ? null : concept;
    svg.classList.toggle('selected', selected !== null);
    var above = selected === null ? {} : reach(selected, up), below = selected === null ? {} : reach(selected, down);
    Object.keys(circles).forEach(function (c) {
      circles[c].classList.toggle('on', !!(above[c] || below[c]));
      circles[c].classList.toggle('at', c === selected);
    });
    lines.forEach(function (l) {
      l[0].classList.toggle('on', !!((above[l[1]] && above[l[2]]) || (below[l[1]] && below[l[2]])));
    });
  }
  function show() {
    svg.setAttribute('viewBox', view.join(' '));
    svg.classList.toggle('near', svg.getScreenCTM().a > 1.2);
  }
  function at(event) {
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  }
  svg.addEventListener('wheel', function (event) {
    event.preventDefault();
    var p = at(event), by = Math.pow(1.0015, event.deltaY);
    by = Math.min(Math.max(by, start[2] / 200 / view[2]), 4 * start[2] / view[2]);
    view = [p.x - (p.x - view[0]) * by, p.y - (p.y - view[1]) * by, view[2] * by, view[3] * by];
    show();
  }, { passive: false });
  svg.addEventListener('pointerdown', function (event) { drag = at(event); moved = false; });
  svg.addEventListener('pointermove', function (event) {
    if (!drag || !event.buttons) return;
    var p = at(event);
    if (!moved && Math.abs(p.x - drag.x) + Math.abs(p.y - drag.y) < 4 * view[2] / start[2]) return;
    moved = true;
    view[0] += drag.x - p.x;
    view[1] += drag.y - p.y;
    show();
  });
  svg.addEventListener('pointerup', function () { drag = null; });
  svg.addEventListener('click', function (event) {
    if (moved) return;
    var g = event.target.closest('.c');
    if (g) select(g.dataset.c); else if (selected !== null) select(selected);
  });
  svg.addEventListener('dblclick', function (event) {
    if (!event.target.closest('.c')) { view = start.slice(); show(); }
  });
  svg.addEventListener('keydown', function (event) {
    if (event.key === 'Enter' && event.target.dataset.c) select(event.target.dataset.c);
    if (event.key === 'Escape' && selected !== null) select(selected);
  });
})();
