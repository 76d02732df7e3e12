import { readEnvironment } from './config.ts'
import { EXIT_CODES } from './failure.ts'
import { interrupt } from './interrupt.ts'
import { run } from './program.ts'

process.on('SIGINT', interrupt)
// A pipe's reader closed it, as `head` does. Exit as SIGPIPE ends other programs.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit(EXIT_CODES['pipe closed'])
  })
await run(process.argv.slice(2), readEnvironment())
