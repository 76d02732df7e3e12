/**
 * The smallest id that can be created at a time. Ids are UUIDv7, which begin with their time of creation, so the
 * primary key finds the ids of a period.
 */
export function firstIdAt(time: Date): string {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-0000-0000-000000000000`
}
