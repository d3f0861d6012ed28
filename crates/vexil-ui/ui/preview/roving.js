// The keyboard and the pointer in a matrix: one cell is chosen, arrows move, Enter goes to its explanation, Escape back.

/** How long a cell must be stayed at before it is explained, in milliseconds. */
const STAY = 80;

export function wire(table, why, { parts, rows, columns, wanted, choose, isShown }) {
  const at = (row, column) => table.querySelector(`[data-row="${row}"][data-column="${column}"]`);
  const placeOf = (cell) => [Number(cell.dataset.row), Number(cell.dataset.column)];
  const cellOf = (event) => event.target.closest('td');
  const select = (cell, wait, chosen) => {
    for (const other of table.querySelectorAll('[aria-selected="true"]')) {
      other.setAttribute('aria-selected', 'false');
      other.tabIndex = -1;
    }
    cell.setAttribute('aria-selected', 'true');
    cell.tabIndex = 0;
    const [flag, column] = parts(...placeOf(cell));
    choose(flag, column, wait, chosen);
  };
  const isNew = (cell) => cell && cell.getAttribute('aria-selected') !== 'true';
  table.addEventListener('click', (event) => {
    const cell = cellOf(event);
    if (isNew(cell) || (cell && !isShown())) select(cell, 0, true);
    // where there is no room beside the matrix the explanation lies below it
    if (cell && why.getBoundingClientRect().top >= table.getBoundingClientRect().bottom) why.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
  });
  table.addEventListener('focusin', (event) => {
    const cell = cellOf(event);
    if (isNew(cell)) select(cell, STAY, true);
  });
  table.addEventListener('keydown', (event) => {
    const cell = cellOf(event);
    if (!cell) return;
    const [row, column] = placeOf(cell);
    const to = {
      ArrowUp: [row - 1, column], ArrowDown: [row + 1, column], ArrowLeft: [row, column - 1], ArrowRight: [row, column + 1], PageUp: [0, column], PageDown: [rows - 1, column],
      Home: [event.ctrlKey ? 0 : row, 0], End: [event.ctrlKey ? rows - 1 : row, columns - 1],
    }[event.key];
    if (to) {
      event.preventDefault();
      at(...to)?.focus();
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      if (!isShown()) select(cell, 0, true);
      why.focus();
    }
  });
  why.onkeydown = (event) => {
    if (event.key === 'Escape') table.querySelector('[aria-selected="true"]')?.focus();
  };
  const cells = [...table.querySelectorAll('td')];
  const kept = wanted && cells.find((cell) => {
    const [flag, column] = parts(...placeOf(cell));
    return flag.name === wanted.flag && column.members.includes(wanted.first);
  });
  select(kept ?? cells.find((cell) => !cell.classList.contains('unchanged')) ?? cells[0], 0, false);
}
