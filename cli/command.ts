import { type Command, InvalidArgumentError } from 'commander'

export const PARALLEL_MAX = 16
export const LIMIT_DEFAULT = 20
const LIMIT_MAX = 100

/** Adds the options all commands share, and `list` as an alias for `ls`. The parent's default command needs no name. */
export function command(
  parent: Command,
  usage: string,
  description: string,
  { isDefault = false }: { isDefault?: boolean } = {},
): Command {
  const added = parent
    .command(usage, { isDefault })
    .description(description)
    .option('--server <url>', 'server URL')
    .option('--json', 'print JSON to stdout')
    .exitOverride()
  return added.name() === 'ls' ? added.alias('list') : added
}

export function parseParallel(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1 || value > PARALLEL_MAX)
    throw new InvalidArgumentError(`Expected an integer from 1 to ${PARALLEL_MAX}.`)
  return value
}

export function parseLimit(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1 || value > LIMIT_MAX)
    throw new InvalidArgumentError(`Expected an integer from 1 to ${LIMIT_MAX}.`)
  return value
}
