import type { Command } from 'commander'
import { command, LIMIT_DEFAULT, parseLimit } from '../../../command.ts'
import type { CliEnvironment } from '../../../config.ts'
import { decideMemory, refuseToRemove } from './decide.ts'
import { listMemory } from './list.ts'
import { addMemory, editMemory } from './save.ts'
import { exportMemory, importMemory } from './transfer.ts'

const HELP = `
Without --project, commands use the memory of the organization. Proposals are memories that agents saved after
they had read content from outside: no agent sees them until you accept them.

Examples:
  npx atrium memory add releases "Releases go out on Tuesdays" --project website
  npx atrium memory search "release day" --project website
  npx atrium memory ls --proposed
  npx atrium memory accept 0199…
  npx atrium memory export --format markdown > memory.md
`

const PROJECT = ['--project <project>', 'the memory of this project (slug, id or name)'] as const

/** Adds `atrium memory`. */
export function addMemoryCommands(program: Command, environment: CliEnvironment): void {
  const memory = program
    .command('memory')
    .description('List, search, save and review the memory of agents')
    .addHelpText('after', HELP)
    .exitOverride()
  const addListCommand = (usage: string, description: string) =>
    command(memory, usage, description)
      .option(...PROJECT)
      .option('--limit <count>', 'memories to list, 1 to 100', parseLimit, LIMIT_DEFAULT)
  addListCommand('ls', 'List memories, newest first')
    .option('--org', 'memories of the organization only')
    .option('--proposed', 'proposals instead')
    .action((options) => listMemory(undefined, options, environment))
  addListCommand('search <query>', 'Find memories: words, "phrases", or, -without')
    .option('--org', 'memories of the organization only')
    .action((query, options) => listMemory(query, options, environment))
  command(memory, 'add <key> <text>', 'Save a memory; replaces the memory with the same key')
    .option(...PROJECT)
    .option('--tag <tag...>', 'tags')
    .action((key, text, options) => addMemory(key, text, options, environment))
  command(memory, 'edit <memory>', 'Change a memory by its id')
    .option('--key <key>', 'new key')
    .option('--text <text>', 'new text')
    .option('--tag <tag...>', 'new tags')
    .action((ref, options) => editMemory(ref, options, environment))
  command(memory, 'rm <memory>', 'Print the URL of the page that deletes a memory').action((ref, options) =>
    refuseToRemove(ref, options, environment),
  )
  for (const decision of ['accept', 'reject'] as const)
    command(
      memory,
      `${decision} <memory>`,
      `${decision === 'accept' ? 'Accept' : 'Reject'} a proposal by its id`,
    ).action((ref, options) => decideMemory(ref, decision, options, environment))
  command(memory, 'export', 'Print the memory of a project or the organization')
    .option(...PROJECT)
    .option('--format <format>', 'json or markdown', 'json')
    .action((options) => exportMemory(options, environment))
  command(memory, 'import <file>', 'Save the memories of a JSON export')
    .option(...PROJECT)
    .action((file, options) => importMemory(file, options, environment))
}
