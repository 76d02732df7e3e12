import { ApiFailure } from '../../../client/client.ts'
import { agents } from '../../../contract/agents/agents.ts'
import { changesOf, printChange, type SettingChange } from '../../agents/changes.ts'
import { type AgentDocument, readDocuments } from '../../agents/document.ts'
import { type Agent, findAgent, listAll, named } from '../../agents/find.ts'
import type { CliEnvironment } from '../../config.ts'
import { type Connection, connect, parseResponse } from '../../connect.ts'
import { explain, Failure } from '../../failure.ts'
import { print, printData, printMessage, sanitize, style } from '../../terminal.ts'

interface ApplyOptions {
  server?: string
  json?: boolean
  dryRun?: boolean
}

interface Plan {
  document: AgentDocument
  /** The agent to change; null to create one. */
  agent: Agent | null
  changes: SettingChange[]
}

/** Plans all agents of the file first, so that a mistake in one of them changes none. */
export async function applyAgents(
  file: string,
  options: ApplyOptions,
  environment: CliEnvironment,
): Promise<void> {
  const documents = await readDocuments(file)
  const connection = await connect(options.server, environment)
  const plans = await planAll(connection, documents)
  const items: object[] = []
  for (const plan of plans) {
    if (!options.json) show(plan)
    const done = options.dryRun ? plan.agent : await apply(connection, plan)
    for (const { path, message } of options.dryRun ? [] : (done?.warnings ?? []))
      printMessage(`warning  ${path}: ${sanitize(message)}`)
    const { changes, document } = plan
    const fields = changes.map(({ field }) => field)
    items.push({
      action: actionOf(plan),
      id: done?.id ?? null,
      name: document.name,
      version: done?.version ?? null,
      fields,
    })
  }
  if (options.json) printData({ dryRun: options.dryRun ?? false, items })
  else printMessage(summaryOf(plans, options.dryRun ?? false))
}

async function planAll(connection: Connection, documents: AgentDocument[]): Promise<Plan[]> {
  const all = documents.some(({ id }) => id === undefined) ? await listAll(connection) : []
  const plans: Plan[] = []
  for (const document of documents) {
    const agent = document.id ? await findAgent(connection, document.id) : named(all, document.name)
    if (plans.some((plan) => isSame(plan, document, agent)))
      throw new Failure('usage', `The agent ${document.name} is in the file twice`)
    plans.push({ document, agent, changes: agent ? changesOf(agent, document) : [] })
  }
  return plans
}

const isSame = (plan: Plan, { name }: AgentDocument, agent: Agent | null) =>
  agent ? plan.agent?.id === agent.id : plan.agent === null && plan.document.name === name

const actionOf = ({ agent, changes }: Plan) =>
  agent === null ? 'created' : changes.length > 0 ? 'updated' : 'unchanged'

function show(plan: Plan): void {
  const name = sanitize(plan.document.name)
  if (plan.agent === null) print(style('green', `+ ${name}`, process.stdout))
  else if (plan.changes.length === 0) print(`  ${name}`)
  else print(style('yellow', `~ ${name}`, process.stdout))
  plan.changes.forEach(printChange)
}

async function apply({ server, client }: Connection, { document, agent, changes }: Plan): Promise<Agent> {
  const { id: _, ...settings } = document
  if (agent === null) {
    const call = client.agents.create(settings, { idempotencyKey: crypto.randomUUID() })
    return parseResponse(server, agents.create, call)
  }
  if (changes.length === 0) return agent
  const changed = Object.fromEntries(changes.map(({ field, after }) => [field, after]))
  const call = client.agents.update({ id: agent.id, ...changed }, { ifMatch: `"${agent.version}"` })
  return parseResponse(
    server,
    agents.update,
    call.catch((error: unknown) => refuse(error, server, agent)),
  )
}

function refuse(error: unknown, server: string, { name, id }: Agent): never {
  if (!(error instanceof ApiFailure)) throw error
  if (error.code === 'PRECONDITION_FAILED')
    throw new Failure(
      'failed',
      `${name} was changed by another caller`,
      'Run the command again to see the new changes.',
    )
  if (error.reason === 'browser_session_required')
    throw new Failure(
      'refused',
      error.message,
      `Change these settings in the dashboard: ${server}/agents/${id}`,
    )
  throw explain(error, server)
}

function summaryOf(plans: Plan[], dryRun: boolean): string {
  const count = (action: string) => plans.filter((plan) => actionOf(plan) === action).length
  const [created, updated, unchanged] = ['created', 'updated', 'unchanged'].map(count)
  return dryRun
    ? `${created} to create, ${updated} to change, ${unchanged} unchanged`
    : `${created} created, ${updated} changed, ${unchanged} unchanged`
}
