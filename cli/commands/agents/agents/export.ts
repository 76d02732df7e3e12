import type { CliEnvironment } from '../../../config.ts'
import { connect } from '../../../connect.ts'
import { Failure } from '../../../failure.ts'
import { printData } from '../../../terminal.ts'
import { type Entry, type Inventory, readInventory } from './inventory.ts'
import { namesIn } from './references.ts'
import { printYaml, sortEntries, writeDocuments } from './write-documents.ts'

interface ExportOptions {
  server?: string
  json?: boolean
  ids?: boolean
  all?: boolean
}

/** Prints everything, or these agents with the skills, guardrails and schedules that belong to them. */
export async function exportAgents(
  refs: readonly string[],
  options: ExportOptions,
  environment: CliEnvironment,
): Promise<void> {
  if (options.all && refs.length > 0) throw new Failure('usage', 'Specify either agents or --all')
  const connection = await connect(options.server, environment)
  const inventory = await readInventory(connection, new Set(['schedule']))
  const entries = sortEntries(refs.length === 0 ? inventory.entries : await entriesOfAgents(refs, inventory))
  if (!options.json)
    return printYaml(await writeDocuments(entries, inventory, { withIds: options.ids ?? false }))
  const items: object[] = []
  for (const { kind, id, name, version, fields } of entries)
    items.push({ kind, id, name, version, fields: await fields() })
  printData({ items })
}

async function entriesOfAgents(refs: readonly string[], { entries }: Inventory): Promise<Entry[]> {
  const selectedEntries = new Set<Entry>()
  const entriesOf = (kind: Entry['kind'], ref: string) =>
    entries.filter((entry) => entry.kind === kind && (entry.id === ref || entry.name === ref))
  for (const ref of refs) {
    const [agent, ...others] = entriesOf('agent', ref)
    if (!agent)
      throw new Failure('failed', `Agent ${ref} not found`, 'Run `npx atrium agents ls` to list agents.')
    if (others.length > 0)
      throw new Failure('usage', `${others.length + 1} agents are named ${ref}: use an id`)
    selectedEntries.add(agent)
    const fields = await agent.fields()
    for (const kind of ['skill', 'guardrail'] as const)
      for (const name of namesIn(fields[`${kind}s`]))
        for (const entry of entriesOf(kind, name)) selectedEntries.add(entry)
    for (const schedule of entries.filter(({ kind }) => kind === 'schedule')) {
      const { agent: agentRef } = await schedule.fields()
      if (agentRef === agent.name || agentRef === agent.id) selectedEntries.add(schedule)
    }
  }
  return [...selectedEntries]
}
