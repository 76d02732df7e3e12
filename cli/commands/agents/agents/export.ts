import type { CliEnvironment } from '../../../config.ts'
import { connect } from '../../../connect.ts'
import { Failure } from '../../../failure.ts'
import { print, printData, sanitize } from '../../../terminal.ts'
import { type Entry, type Inventory, readInventory } from './inventory.ts'
import { KINDS, SECTIONS } from './kinds.ts'
import { namesIn } from './references.ts'

interface ExportOptions {
  server?: string
  json?: boolean
  ids?: boolean
  all?: boolean
}

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

/** A name that isn't unique needs the id. Long lines aren't folded, so diffs show what changed. */
async function writeDocuments(
  entries: readonly Entry[],
  { isUnique }: Pick<Inventory, 'isUnique'>,
  { withIds = false } = {},
): Promise<string> {
  const { stringify } = await import('yaml')
  const sections: Record<string, object[]> = {}
  for (const [section, kind] of Object.entries(SECTIONS)) {
    const found = entries.filter((entry) => entry.kind === kind)
    if (found.length === 0) continue
    sections[section] = []
    for (const { id, name, fields } of found)
      sections[section].push({ ...((withIds || !isUnique(kind, name)) && { id }), name, ...(await fields()) })
  }
  return stringify(sections, { lineWidth: 0 })
}

export async function writeFields({ id, name, fields }: Entry): Promise<string> {
  const { stringify } = await import('yaml')
  return stringify({ id, name, ...(await fields()) }, { lineWidth: 0 })
}

/** Removes control characters on a terminal. */
export function printYaml(yaml: string): void {
  for (const line of yaml.trimEnd().split('\n')) print(process.stdout.isTTY ? sanitize(line) : line)
}

const sortEntries = (entries: readonly Entry[]): Entry[] =>
  entries.toSorted(
    (a, b) =>
      KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  )
