import { type Command, InvalidArgumentError } from 'commander'

export const PARALLEL_MAX = 16

/** A command with the options that every command has. */
export function command(parent: Command, usage: string, description: string): Command {
  return parent
    .command(usage)
    .description(description)
    .option('--server <url>', 'the address of the server')
    .option('--json', 'print data for scripts')
    .exitOverride()
}

/** How many at a time. */
export function count(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1 || value > PARALLEL_MAX)
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${PARALLEL_MAX}.`)
  return value
}
