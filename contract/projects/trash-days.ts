/** A deleted project is purged after this many days. */
export const TRASH_DAYS = 30
