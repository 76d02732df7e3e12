export const NO_SUSPENSIONS = {
  find: () => null,
  list: () => [],
  requireActive: () => {},
  onSuspended: () => {},
}
