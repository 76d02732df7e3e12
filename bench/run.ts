import { formatMeasurements, runParts } from './run-parts.ts'

const PARTS = [
  'requests',
  'files',
  'projects',
  'webhooks',
  'provider-events',
  'telephony',
  'agents',
  'code',
  'relay',
  'usage',
  'memory',
  'search',
  'knowledge',
  'mcp',
  'resident',
  'processes',
]

/** Runs the named parts, or all. Exits with 1 if a target was missed. */
const words = process.argv.slice(2)
/** `--data=…` is for the parts. */
const options = words.filter((word) => word.startsWith('--'))
const named = words.filter((word) => !word.startsWith('--'))
const chosenNames = named.length > 0 ? named : PARTS
const unknownNames = chosenNames.filter((name) => !PARTS.includes(name))
if (unknownNames.length > 0) {
  console.error(`Unknown part ${unknownNames.join(', ')}: choose from ${PARTS.join(', ')}`)
  process.exit(2)
}
const parts = await runParts(
  chosenNames.map((name) => new URL(`${name}.ts`, import.meta.url)),
  options,
)
console.log(`\n${formatMeasurements(parts)}`)
if (parts.some(({ hasPassed }) => !hasPassed)) process.exitCode = 1
