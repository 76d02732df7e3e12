import type { EventType } from '../../../contract/webhooks/event-types.ts'
import { cookie } from '../test-app.ts'
import { createdRecord, createStoredFile } from './file-client.ts'
import type { WebhookApp } from './webhook-app.ts'

export type Actor = Awaited<ReturnType<typeof createActor>>

export async function createActor(app: WebhookApp) {
  const { org, person, client } = await app.createOwner()
  return {
    app,
    org,
    person,
    client,
    operator: (await app.operator()).client,
    headers: cookie(await app.session(person)),
    project: () => app.project(person, { name: 'Launch' }),
    file: (parentId = org.id) => createStoredFile(app, person, { parentId }),
    folder: async (parentId: string | null = null) =>
      createdRecord(await client.files.create({ source: 'folder', name: 'Plans', parentId })),
  }
}

export interface EventScenario {
  types: EventType[]
  prepare: (by: Actor) => Promise<() => Promise<unknown>>
}

export const scenario = (
  types: EventType | EventType[],
  prepare: EventScenario['prepare'],
): EventScenario => ({
  types: [types].flat(),
  prepare,
})

const on =
  <T>(create: (by: Actor) => Promise<T>) =>
  (types: EventType | EventType[], run: (by: Actor, record: T) => Promise<unknown>): EventScenario =>
    scenario(types, async (by) => {
      const record = await create(by)
      return () => run(by, record)
    })

export const onNothing = on(async () => null)
export const onProject = on(({ project }) => project())
export const onFile = on(({ file }) => file())
export const onFeedback = on(({ client }) => client.feedback.submit({ message: 'Hello' }))
export const onAgent = on(({ client }) => client.agents.create({ name: 'Researcher' }))
export const onKey = on(({ app, person }) => app.key(person))

export const onShared = on(async ({ client, project }) => {
  const { id: projectId } = await project()
  await client.sharing.share({ projectId })
  return { projectId }
})

export const onTable = on(async ({ client, project }) =>
  client.tables.create({ projectId: (await project()).id, name: 'Guests' }),
)

const onBlockOf = (type: 'note' | 'task') =>
  on(async ({ client, project }) => {
    const { id: projectId, folderId } = await project()
    const { id: blockId } = await client.canvas.create({ projectId, type, content: 'Buy milk' })
    return { projectId, folderId, blockId }
  })
export const onBlock = onBlockOf('note')
export const onTask = onBlockOf('task')

export const onComment = on(async ({ client, file }) =>
  client.comments.create({ target: `file:${(await file()).id}`, body: 'Hello' }),
)

export const onSession = on(async ({ client, project }) =>
  client.sessions.create({ projectId: (await project()).id }),
)

export const onRun = on(async ({ client, project }) => {
  const { id: projectId } = await project()
  const { id: runId } = await client.runs.start({ projectId, status: 'running' })
  return { projectId, runId }
})
