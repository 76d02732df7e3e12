const UNITS = ['B', 'kB', 'MB', 'GB', 'TB']

/** A size with up to three digits: `734 B`, `1.5 kB`, `104 MB`. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000
    unit++
  }
  return `${value.toFixed(unit === 0 || value >= 99.95 ? 0 : 1)} ${UNITS[unit]}`
}
