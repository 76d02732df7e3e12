import { explain } from './explain.ts'

const args = process.argv.slice(2)
const command = args.length === 0 ? import('./start.ts').then(({ start }) => start()) : runCommand()

command.catch((error: unknown) => {
  process.stderr.write(`Atrium could not start.\n${explain(error)}\n`)
  process.exit(1)
})

/** Lazy: a server without arguments needs no parser. */
async function runCommand(): Promise<void> {
  const { run } = await import('./commands.ts')
  await run(args)
}
