import { explain } from './explain.ts'
import { CHILD } from './processes/messages.ts'

const args = process.argv.slice(2)
const command = run()

command.catch((error: unknown) => {
  process.stderr.write(`Atrium could not start.\n${explain(error)}\n`)
  process.exit(1)
})

/** Lazy: a server without arguments needs no parser. */
async function run(): Promise<void> {
  if (args.length === 0) await (await import('./start.ts')).start()
  else if (args[0] === CHILD && process.send) await (await import('./processes/child.ts')).runChild()
  else await (await import('./commands.ts')).run(args)
}
