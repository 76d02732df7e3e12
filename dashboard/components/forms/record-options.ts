/** The options of a select. A selected record that is not loaded, such as an archived agent, stays selected as `label`. */
export function recordOptions(
  records: readonly { id: string; name: string }[],
  selectedId: string | undefined,
  label: string,
): { value: string; label: string }[] {
  const options = records.map(({ id, name }) => ({ value: id, label: name }))
  return selectedId === undefined || options.some(({ value }) => value === selectedId)
    ? options
    : [...options, { value: selectedId, label }]
}
