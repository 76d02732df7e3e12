import type { EndpointName } from '../../contract/index.ts'

/**
 * Who can write a text that tools read, and what keeps untrusted text from passing as trusted:
 *
 * - `server`: nobody. The server generates it, or its format leaves no room for an instruction.
 * - `member`: members. No run, guest or external sender.
 * - a table and a field: also runs. `text_origins` records untrusted authors, and the tool output guard fences them.
 * - `canvas`: also guests and runs. The canvas history records authors, and canvas tools fence them.
 * - `fenced`: anyone. The tool always fences it and lowers the run's trust.
 * - `message`: anyone. Each message's own trust decides.
 */
type TextAuthor = 'server' | 'member' | 'canvas' | 'fenced' | 'message' | Tracked
/** Fields with triggers in migrations 0083 (text origins), 0093 (blocks), 0122 (tables) and 0126 (edge conditions). */
type Tracked =
  | `projects.${'name' | 'description' | 'prompt' | 'emoji' | 'tags'}`
  | `files.${'name' | 'tags'}`
  | `blocks.${'title' | 'content'}`
  | `edges.${'label' | 'condition'}`
  | 'snapshots.name'
  | `project_tables.${'name' | 'description' | 'labels'}`
  | 'table_rows.cells'
  | `memories.${'key' | 'content' | 'tags'}`
  | 'feedback.message'
  | 'feedback_comments.body'
  | 'agent_sessions.title'
  | 'runs.title'

type Fields = Record<string, TextAuthor>
const by = (author: TextAuthor, fields: string): Fields =>
  Object.fromEntries(fields.split(/\s+/).map((field) => [field, author]))

const within = (prefix: string, fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([field, author]) => [`${prefix}.${field}`, author]))

const project: Fields = {
  name: 'projects.name',
  slug: 'projects.name',
  description: 'projects.description',
  prompt: 'projects.prompt',
  emoji: 'projects.emoji',
  tags: 'projects.tags',
  'metadata.*': 'member',
  ...by('server', 'spend.amount'),
}
const file: Fields = {
  name: 'files.name',
  tags: 'files.tags',
  ...by('server', 'mimeType sha256 storageUrl'),
}
const block: Fields = {
  ...by('canvas', 'color metadata.*'),
  title: 'blocks.title',
  content: 'blocks.content',
}
const blocks = within('blocks', block)
const edges: Fields = {
  'edges.label': 'edges.label',
  'edges.condition': 'edges.condition',
  'edges.style.color': 'server',
}
const run: Fields = {
  title: 'runs.title',
  projectName: 'projects.name',
  ...by('member', 'agentName createdByName'),
  // A provider's or tool's words, cut and without links: see run errors.
  ...by(
    'server',
    'error errorCode model cost.amount wait.budget.amount wait.budget.needed wait.budget.spent wait.failure.message',
  ),
}
const reportedRun: Fields = { title: 'runs.title', ...by('server', 'error cost.amount') }
const session: Fields = {
  title: 'agent_sessions.title',
  'participants.name': 'member',
  ...by('server', 'cost.amount model'),
}
const memory: Fields = {
  key: 'memories.key',
  content: 'memories.content',
  tags: 'memories.tags',
  'replaces.content': 'memories.content',
  'replaces.tags': 'memories.tags',
  'by.name': 'member',
  projectName: 'projects.name',
}
const column: Fields = {
  ...by('project_tables.labels', 'id name choices.id choices.name'),
  ...by('server', 'currency'),
}
const table: Fields = {
  name: 'project_tables.name',
  description: 'project_tables.description',
  key: 'project_tables.labels',
  ...within('columns', column),
}
const tableRow: Fields = { 'values.*': 'table_rows.cells' }
/** Of nested conditions. Not stored. */
const rowFilter = within(
  'filter',
  by(
    'server',
    `column value all.column all.value any.column any.value all.all.column all.all.value all.any.column all.any.value
    any.all.column any.all.value any.any.column any.any.value`,
  ),
)
const snapshot: Fields = { name: 'snapshots.name', 'createdBy.name': 'member' }
const feedback: Fields = { message: 'feedback.message', 'metadata.*': 'member', taskId: 'server' }
const comment: Fields = { body: 'feedback_comments.body', 'author.name': 'member' }
const schedule: Fields = {
  ...by('member', 'name message agentName runsAs.name'),
  projectName: 'projects.name',
  ...by('server', 'cron timeZone description lastError paused.message'),
}
const source: Fields = {
  ...by('member', 'name settings.* actsAs.name connectionLabel'),
  projectName: 'projects.name',
  // A service's words, cut and without secrets: see run errors.
  ...by('server', 'lastError paused.message paused.detail sync.error'),
}
const connector = {
  ...by(
    'member',
    'name slug description docsUrl tools.name tools.description client.clientId client.registerUrl receives.events.description',
  ),
  ...by(
    'server',
    `availabilityReason client.configFields client.redirectUri configFields.key configFields.label configFields.hint
    configFields.pattern configFields.placeholder credentialFields.key credentialFields.label credentialFields.hint
    credentialFields.pattern credentialFields.placeholder receives.events.key receives.fields.key receives.fields.label
    receives.fields.hint receives.fields.pattern receives.fields.placeholder receives.kind receives.secret.hint
    receives.secret.label receives.sessionKey`,
  ),
}
const connection = {
  ...by('member', 'label owner.name account.avatarUrl account.email account.id account.name config.*'),
  ...by('server', 'connector.name connectorSlug missingScopes scopes statusReason'),
}
const agent = {
  ...by('member', 'name description emoji prompt outputSchema.*'),
  ...by(
    'server',
    'allowedConnectors budget.amount fallbackModels imageUrl model warnings.message warnings.path web.allowedDomains web.deniedDomains',
  ),
}
const webhook = by('member', 'name description source url events receiveUrl disabledReason')
/** Tools show the type only if it's a plain name, and nothing else from a sender unfenced. */
const event = by(
  'fenced',
  `actor.name headers.* payload source subject.name subject.path type externalId verification.reason verification.scheme
  webhookName`,
)
const call = by('fenced', 'cost.amount from to agentName member.name summary transfer.reason transfer.target')
const calls = by('fenced', Object.keys(call).concat('timeline.type', 'timeline.detail').join(' '))
const number = {
  ...by('member', 'label owner.name settings.allowedPrefixes settings.greeting settings.language'),
  ...by('member', 'settings.recordingNotice settings.voice'),
  projectName: 'projects.name' as const,
  ...by('server', 'e164 statusReason webhooks.sms.url webhooks.status.url webhooks.voice.url'),
  ...by('server', 'webhooks.sms.actual webhooks.status.actual webhooks.voice.actual'),
}
const target = by('member', 'message targets')
const rule = {
  ...by(
    'member',
    'name runsAs.name match.callerPrefix match.contains match.schedule.from match.schedule.holidays',
  ),
  ...by('member', 'match.schedule.to match.schedule.tz'),
  ...within('action', target),
  ...within('fallback', target),
  problem: 'server' as const,
}
const fenced = (fields: string) => by('fenced', fields)
const form = fenced(
  'answer.* answeredBy.name content fields.key fields.label fields.options projectName title',
)
const page = by('server', 'nextCursor')

/** Every text tools read. Lists are named by their elements, pages without `items`. */
export const READ_TEXTS: Partial<Record<EndpointName, Fields>> = {
  'organization.get': by('member', 'name'),
  'organization.members': { ...by('member', 'name email'), ...page },
  'workspaces.list': by('member', 'name'),
  'workspaces.members': { ...by('member', 'name email'), ...page },
  'deviceLogin.me': {
    ...by('member', 'key.name organization.name user.email user.name workspace.name'),
    ...by('server', 'key.lastFour key.prefix scopes'),
  },
  'agents.list': { ...agent, ...page },
  'agents.get': agent,
  'agents.templates': by(
    'server',
    `examples settings.name settings.description settings.emoji settings.prompt settings.allowedConnectors settings.web.allowedDomains settings.web.deniedDomains
    settings.budget.amount settings.fallbackModels settings.model settings.outputSchema.*`,
  ),
  'sessions.list': { ...session, match: 'fenced', ...page },
  'sessions.get': session,
  'sessions.messages': {
    ...by('message', 'content.* content.type summary.text text'),
    ...fenced('citations.heading citations.key citations.quote citations.source.name'),
    'summary.model': 'server',
    'rating.comment': 'member',
    ...page,
  },
  'agentRuns.list': { ...run, ...page },
  // A message's author chose the schema.
  'agentRuns.get': { ...run, ...fenced('output outputSchema.*') },
  'agentRuns.stats': by('server', 'cost.amount hours.cost.amount'),
  'agentRuns.children': { title: 'runs.title', agentName: 'member', 'cost.amount': 'server' },
  'agentRuns.steps': fenced(
    `calls.callId calls.cost.amount calls.input calls.output calls.tool calls.errorCode cost.amount
    calls.program.calls.error calls.program.calls.errorCode calls.program.calls.input calls.program.calls.tool
    calls.program.console.text descriptions.cost.amount descriptions.model guardrails.name guardrails.callId model text
    error errorCode finish`,
  ),
  'agentRuns.programCalls': fenced('error errorCode input output tool'),
  'agentRuns.changes': fenced('name after.* before.* nextCursor'),
  'guardrails.list': by('member', 'name agents.name config.*'),
  'guardrails.get': by('member', 'name config.*'),
  'connectors.list': connector,
  'connectors.get': connector,
  'connections.list': connection,
  'connections.get': connection,
  'schedules.list': { ...schedule, ...page },
  'sources.list': { ...source, ...page },
  'sources.get': source,
  'sources.log': { ...by('fenced', 'path reason'), ...page },
  'schedules.get': schedule,
  'memory.list': { ...memory, ...page },
  'memory.create': memory,
  'tables.list': table,
  'tables.create': table,
  'tables.get': table,
  'tables.update': table,
  'tables.rows': { ...tableRow, ...page },
  'tables.row': tableRow,
  'tables.aggregate': { 'groups.keys': 'fenced', 'groups.values': 'server' },
  'skills.list': { ...by('member', 'name description'), ...page },
  'skills.get': by(
    'member',
    'name description instructions agents.name files.path metadata.* allowedTools compatibility license',
  ),
  'skills.file': by('member', 'path text base64'),
  'projects.list': { ...project, ...page },
  'projects.create': project,
  'projects.get': { ...project, 'sharedWorkspaces.name': 'member' },
  'projects.update': project,
  'projects.duplicate': project,
  'projects.navigator': fenced(
    `canvas.blocks.title canvas.blocks.type canvas.groups.title canvas.groups.type files.children files.mimeType files.name
    project.name project.slug project.emoji`,
  ),
  'templates.list': by('member', 'id name description emoji createdBy.name shapes.color'),
  'templates.start': project,
  'canvas.list': { ...block, ...edges, ...page },
  'canvas.outline': { title: 'blocks.title' },
  'canvas.create': block,
  'canvas.move': block,
  'canvas.update': block,
  'canvas.connect': { label: 'edges.label', condition: 'edges.condition', 'style.color': 'server' },
  'canvas.change': { ...blocks, ...edges },
  'canvas.at': fenced(Object.keys({ ...blocks, ...edges }).join(' ')),
  'canvas.history': fenced('after.* before.* by.name nextCursor'),
  'canvas.snapshots': { ...snapshot, ...page },
  'canvas.snapshot': snapshot,
  'forEach.lists': fenced('title cost.amount estimate.amount'),
  'forEach.items': { ...fenced('cost.amount error label output value'), ...page },
  'forms.list': { ...form, ...page },
  'forms.get': form,
  'runs.list': { ...reportedRun, ...page },
  'runs.start': reportedRun,
  'runs.get': reportedRun,
  'runs.update': reportedRun,
  'projectExport.export': fenced(
    [
      `blocks.title blocks.content blocks.color blocks.metadata.* edges.* edges.label edges.condition edges.style.color
      nodes.* files.name files.path files.mimeType files.sha256 memory.key memory.content memory.tags project.name
      project.description project.prompt project.emoji project.tags project.metadata.* checksum.value exportedAt
      tables.name tables.description tables.key tables.columns.id tables.columns.name tables.columns.currency
      tables.columns.choices.id tables.columns.choices.name tables.rows.values.* tables.views.name
      tables.views.settings.group.column tables.views.settings.hidden tables.views.settings.order
      tables.views.settings.sort.column`,
      ...Object.keys(within('tables.views.settings', rowFilter)),
    ].join(' '),
  ),
  'files.list': { ...file, ...page },
  'files.create': { ...file, ...within('file', file), uploadUrl: 'server' },
  'files.get': { ...file, 'ancestors.name': 'files.name' },
  'files.update': file,
  'files.copy': file,
  'fileTexts.write': file,
  'files.preview': fenced('html text url language mimeType sheets.name sheets.rows'),
  'fileTables.read': fenced('name mimeType parts.sheet parts.rows sheets.name'),
  'fileTexts.read': fenced('text name mimeType'),
  'webhooks.list': webhook,
  'webhooks.get': webhook,
  'webhooks.eventTypes': by('server', 'category description example name'),
  'webhooks.events': { ...event, ...page },
  'webhooks.eventsOf': { ...event, ...page },
  'webhooks.event': {
    ...event,
    ...fenced(
      `body.content deliveries.eventType deliveries.url deliveries.error deliveries.webhookName deliveries.response.body
      deliveries.response.headers.* deliveries.attempts.error deliveries.attempts.request.url
      deliveries.attempts.request.headers.* deliveries.attempts.response.body deliveries.attempts.response.headers.*`,
    ),
  },
  'webhooks.deliveries': fenced('eventType url error response.body response.headers.* nextCursor'),
  'telephony.overview': fenced(
    [
      ...Object.keys({
        ...within('activeCalls', call),
        ...within('recentCalls', call),
        ...within('numbers', number),
      }),
      ...['days.cost', 'days.date', 'problems.message', 'problems.target'],
    ].join(' '),
  ),
  'phoneNumbers.list': { ...number, ...page },
  'phoneNumbers.get': number,
  'calls.list': { ...call, ...page },
  'calls.get': calls,
  'calls.create': calls,
  'calls.hangUp': calls,
  'calls.transfer': calls,
  'sms.list': { ...fenced('body from to cost.amount errorCode errorMessage'), ...page },
  'sms.send': fenced('body from to cost.amount errorCode errorMessage'),
  'routing.list': { ...rule, ...within('default', target) },
  'routing.try': {
    ...within('action', target),
    ...within('rule', rule),
    ...by('member', 'checked.name'),
    ...by('server', 'because checked.explanation'),
  },
  'webSearch.get': by('server', 'hint provider.name'),
  'models.list': by(
    'server',
    'data.id data.owned_by id name provider providers.id providers.name providers.problem hint',
  ),
  'feedback.list': feedback,
  'feedback.submit': feedback,
  'feedback.edit': feedback,
  'feedback.get': feedback,
  'feedback.comments': { ...comment, ...page },
  'feedback.comment': comment,
  'quotas.list': by('server', 'description label'),
  'budgets.list': { ...by('member', 'name'), ...by('server', 'amount left reserved spent') },
  'usage.get': {
    ...by('member', 'name'),
    ...by(
      'server',
      'cost.amount days.cost.amount days.day days.groups.cost.amount days.groups.key from to key',
    ),
    'total.cost.amount': 'server',
  },
  'orgSettings.get': by(
    'server',
    `defaultBudgets.agent.amount defaultBudgets.key.amount defaultBudgets.project.amount defaultBudgets.user.amount
    models.admin models.member models.owner defaultModel embeddings.model visionModel voice.speech voice.transcription
    voice.voiceName`,
  ),
  'embeddings.get': by('server', 'model problem serving'),
  // Not an action: the tool `search` calls it and shows only titles.
  'passages.search': {
    ...fenced('heading source.name terms.term text'),
    ...by('server', 'key url'),
  },
  'search.find': { title: 'files.name', snippet: 'fenced', url: 'server' },
}

/** Every text a run or guest can write. */
export const WRITTEN_TEXTS: Partial<Record<EndpointName, Fields>> = {
  'memory.create': {
    key: 'memories.key',
    content: 'memories.content',
    tags: 'memories.tags',
    projectId: 'server',
  },
  'tables.create': table,
  'tables.update': {
    ...by('project_tables.labels', 'key remove order'),
    name: 'project_tables.name',
    description: 'project_tables.description',
    ...within('add', column),
    ...within('change', column),
  },
  'tables.remove': {},
  'tables.upsert': within('rows', tableRow),
  'tables.updateRows': { ...tableRow, ...rowFilter },
  'tables.removeRows': rowFilter,
  // An untrusted run can't create or duplicate projects, or change a name or prompt.
  'projects.create': {
    name: 'projects.name',
    description: 'projects.description',
    prompt: 'projects.prompt',
    emoji: 'projects.emoji',
  },
  'projects.update': {
    name: 'projects.name',
    description: 'projects.description',
    prompt: 'projects.prompt',
    emoji: 'projects.emoji',
    tags: 'projects.tags',
    // `update_project` lacks it.
    'metadata.*': 'member',
  },
  'projects.remove': {},
  'projects.duplicate': {},
  'templates.start': {
    ...by('server', 'template projectId'),
    name: 'projects.name',
    description: 'projects.description',
    emoji: 'projects.emoji',
  },
  'canvas.create': block,
  'canvas.move': {},
  'canvas.update': block,
  'canvas.remove': {},
  'canvas.connect': { label: 'edges.label', condition: 'edges.condition', 'style.color': 'server' },
  'canvas.disconnect': {},
  'canvas.change': {
    ...within('create.blocks', block),
    ...within('update.blocks', block),
    ...within('create', edges),
    ...within('update', edges),
  },
  'canvas.snapshot': { name: 'snapshots.name' },
  'runs.start': { title: 'runs.title' },
  'runs.update': by('server', 'error cost'),
  'runs.restoreLast': {},
  // Shown beside the canvas. No tool reads it.
  'live.presence': by('fenced', 'name'),
  'comments.create': by('fenced', 'body name target projectId'),
  'files.create': { name: 'files.name', tags: 'files.tags', mimeType: 'server' },
  'files.update': { name: 'files.name', tags: 'files.tags' },
  'files.copy': { name: 'files.name' },
  'fileTexts.write': { name: 'files.name', tags: 'files.tags', text: 'fenced' },
  'calls.create': by('fenced', 'to from message task'),
  'calls.hangUp': {},
  'calls.transfer': by('fenced', 'targets summary'),
  'sms.send': by('fenced', 'to from body'),
  'feedback.submit': { message: 'feedback.message', 'metadata.*': 'member', idempotencyKey: 'server' },
  'feedback.edit': { message: 'feedback.message' },
  'feedback.comment': { body: 'feedback_comments.body' },
}
