import type { Command } from 'commander'
import {
  ORGANIZATION_SORTS,
  ORGANIZATION_STATUSES,
} from '../../../contract/organizations/lifecycle-options.ts'

type Run = (
  failure: string,
  work: (commands: typeof import('./run.ts'), signal: AbortSignal) => Promise<void>,
) => Promise<void>

export function addOrganizationCommands(program: Command, run: Run): void {
  const orgs = program
    .command('orgs')
    .description('List, suspend, export and erase organizations')
    .helpCommand('help [command]', 'Show help for a command')
    .exitOverride()
  const add = (usage: string, description: string) =>
    orgs.command(usage).description(description).exitOverride()

  add('list', 'List organizations with their usage')
    .option('--search <text>', 'part of the name, or the ID')
    .option('--status <status>', ORGANIZATION_STATUSES.join(', '))
    .option('--sort <order>', ORGANIZATION_SORTS.join(', '), 'created')
    .option('--limit <number>', 'how many', '50')
    .option('--json', 'print JSON')
    .action((options) => run('The list failed.', (commands) => commands.list(options)))
  add('suspend <id>', 'Suspend an organization; the server applies it immediately')
    .requiredOption('--reason <text>', 'why; members and owners see it')
    .action((id: string, { reason }: { reason: string }) =>
      run('The suspension failed.', (commands) => commands.suspendOrganization(id, reason)),
    )
  add('resume <id>', 'Resume a suspended organization').action((id: string) =>
    run('The organization could not be resumed.', (commands) => commands.resumeOrganization(id)),
  )
  add('export <id> <file>', 'Export an organization’s data to a new ZIP archive').action(
    (id: string, file: string) =>
      run('The export failed.', (commands, signal) => commands.exportOrganization(id, file, signal)),
  )
  add('erase <id>', 'Close an organization and delete it with all its data after 7 days')
    .requiredOption('--confirm <name>', 'the organization’s name')
    .action((id: string, { confirm }: { confirm: string }) =>
      run('The organization could not be erased.', (commands) => commands.eraseOrganization(id, confirm)),
    )
  add('undo-erase <id>', 'Cancel an organization’s erasure before deletion begins').action((id: string) =>
    run('The erasure could not be canceled.', (commands) => commands.undoErasure(id)),
  )
  add('erasures', 'List erasures with their receipts, as JSON').action(() =>
    run('The list failed.', (commands) => commands.listErasures()),
  )
}
