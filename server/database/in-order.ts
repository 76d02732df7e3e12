/** For a statement that finds many keys: `place` is each row's position among them, from one. Null where there is no row. */
export function inOrder<Row extends { place: number }>(rows: readonly Row[], count: number): (Row | null)[] {
  const ordered: (Row | null)[] = Array.from({ length: count }, () => null)
  for (const row of rows) ordered[row.place - 1] = row
  return ordered
}
