import type { Command } from 'commander'

/** A command with the options that every command has. */
export function command(parent: Command, usage: string, description: string): Command {
  return parent
    .command(usage)
    .description(description)
    .option('--server <url>', 'the address of the server')
    .option('--json', 'print data for scripts')
    .exitOverride()
}
