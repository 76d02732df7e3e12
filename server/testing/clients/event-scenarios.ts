import { createManifest, manifestBlock, manifestSettings } from '../factories/manifests.ts'
import { putBytes, upload } from '../factories/uploads.ts'
import {
  type EventScenario,
  onAgent,
  onBlock,
  onFeedback,
  onFile,
  onKey,
  onNothing,
  onProject,
  onRun,
  onSession,
  onShared,
  onTable,
  onTask,
  scenario,
} from './actor.ts'
import { onComments } from './comment-scenarios.ts'
import { createdRecord } from './file-client.ts'

const onProjects: Record<string, EventScenario> = {
  'creating a project': onNothing('project.created', ({ client }) =>
    client.projects.create({ name: 'Launch' }),
  ),
  'renaming a project and its folder': onProject('project.updated', ({ client }, { id }) =>
    client.projects.update({ id, name: 'Landing' }),
  ),
  'making a project private': onProject('project.updated', ({ client }, { id }) =>
    client.projects.update({ id, visibility: 'private' }),
  ),
  'sharing a project with a workspace': onProject('project.updated', async ({ app, org, client }, { id }) =>
    client.projects.shareWithWorkspace({ id, workspaceId: await app.workspace(org) }),
  ),
  'deleting a project with its contents': onBlock('project.deleted', ({ client }, { projectId }) =>
    client.projects.remove({ id: projectId }),
  ),
  'purging a project': scenario('project.purged', async ({ app, person, project }) => {
    const { id } = await project()
    const browser = await app.withSession(person)
    await browser.projects.remove({ id })
    return () => browser.projects.remove({ id, permanent: 'true' })
  }),
  'restoring a project from the trash': scenario('project.restored', async ({ client, project }) => {
    const { id } = await project()
    await client.projects.remove({ id })
    return () => client.projects.undelete({ id })
  }),
  'creating a share link': onProject('project.shared', ({ client }, { id: projectId }) =>
    client.sharing.share({ projectId }),
  ),
  'changing a share link': onShared('project.shared', ({ client }, { projectId }) =>
    client.sharing.share({ projectId, access: 'edit', rotate: true }),
  ),
  'revoking a share link': onShared('project.unshared', ({ client }, { projectId }) =>
    client.sharing.unshare({ projectId }),
  ),
  'duplicating a project with tasks and files': scenario('project.duplicated', async ({ client, ...by }) => {
    const { id, folderId } = await by.project()
    await by.file(folderId)
    await client.canvas.create({ projectId: id, type: 'task' })
    return () => client.projects.duplicate({ id })
  }),
  'restoring a project from a manifest': onProject('project.restored', ({ client }, { id: projectId }) => {
    const manifest = createManifest({
      project: manifestSettings({ name: 'Other' }),
      blocks: [manifestBlock({ type: 'task' })],
    })
    return client.projectExport.restore({ projectId, ...manifest })
  }),
  'rewinding the history of a canvas': onTask('project.restored', ({ client }, { projectId }) =>
    client.canvas.rewind({ projectId, seq: 0 }),
  ),
  'restoring a snapshot': scenario('project.restored', async ({ client, project }) => {
    const { id: projectId } = await project()
    const { id: snapshotId } = await client.canvas.snapshot({ projectId })
    await client.canvas.create({ projectId, type: 'note' })
    return () => client.canvas.restoreSnapshot({ projectId, snapshotId })
  }),
  'reverting a failed run': scenario('project.restored', async ({ client, project }) => {
    const { id: projectId } = await project()
    const { id: runId } = await client.runs.start({ projectId, status: 'running' })
    await client.canvas.create({ projectId, type: 'note', runId })
    await client.runs.update({ projectId, runId, status: 'failed' })
    return () => client.runs.restoreLast({ projectId })
  }),
}

const onTables: Record<string, EventScenario> = {
  'creating a table': onProject('project.table.created', ({ client }, { id: projectId }) =>
    client.tables.create({ projectId, name: 'Guests' }),
  ),
  'adding rows to a table': onTable('project.table.updated', ({ client }, { id }) =>
    client.tables.upsert({ id, rows: [{ values: { name: 'Ada' } }, { values: { name: 'Grace' } }] }),
  ),
  'deleting a table': onTable('project.table.deleted', ({ client }, { id }) => client.tables.remove({ id })),
}

const onCanvases: Record<string, EventScenario> = {
  'adding a block': onProject('project.block.created', ({ client }, { id: projectId }) =>
    client.canvas.create({ projectId, type: 'note' }),
  ),
  'editing a block': onBlock('project.block.updated', ({ client }, { projectId, blockId }) =>
    client.canvas.update({ projectId, blockId, content: 'Buy bread' }),
  ),
  'moving blocks': onTask('project.block.moved', ({ client }, { projectId, blockId: id }) =>
    client.canvas.move({ projectId, positions: [{ id, x: 9, y: 9 }] }),
  ),
  'deleting a block': onTask('project.block.deleted', ({ client }, { projectId, blockId }) =>
    client.canvas.remove({ projectId, blockId }),
  ),
  'adding a task': onProject(['project.block.created', 'task.created'], ({ client }, { id: projectId }) =>
    client.canvas.create({ projectId, type: 'task' }),
  ),
  'converting a note to a task': onBlock(['project.block.updated', 'task.created'], ({ client }, ids) =>
    client.canvas.update({ ...idsOf(ids), type: 'task' }),
  ),
  'editing a task': onTask(['project.block.updated', 'task.updated'], ({ client }, ids) =>
    client.canvas.update({ ...idsOf(ids), content: 'Buy bread' }),
  ),
  'completing a task': onTask(['project.block.updated', 'task.completed'], ({ client }, ids) =>
    client.canvas.update({ ...idsOf(ids), metadata: { done: true } }),
  ),
  'queueing a run': onProject('agent.run.queued', ({ client }, { id: projectId }) =>
    client.runs.start({ projectId, status: 'queued' }),
  ),
  'starting a run': onProject('agent.run.started', ({ client }, { id: projectId }) =>
    client.runs.start({ projectId, status: 'running' }),
  ),
  'completing a run': onRun('agent.run.completed', ({ client }, ids) =>
    client.runs.update({ ...ids, status: 'succeeded' }),
  ),
  'failing a run': onRun('agent.run.failed', ({ client }, ids) =>
    client.runs.update({ ...ids, status: 'failed' }),
  ),
  'canceling a run': onRun('agent.run.canceled', ({ client }, ids) =>
    client.runs.update({ ...ids, status: 'canceled' }),
  ),
}

const idsOf = ({ projectId, blockId }: { projectId: string; blockId: string }) => ({ projectId, blockId })

const onFiles: Record<string, EventScenario> = {
  'uploading a file': onNothing('file.created', async ({ app, headers }) =>
    requireSuccess(await upload(app, headers, 'Hello')),
  ),
  'uploading the bytes of a presigned file': scenario('file.created', async ({ client }) => {
    const file = { name: 'a.txt', mimeType: 'text/plain', size: 5 }
    const { uploadUrl } = (await client.files.create(file)) as { uploadUrl: string }
    return async () => requireSuccess(await putBytes(uploadUrl, 'Hello'))
  }),
  'creating a folder': onNothing('file.created', ({ folder }) => folder()),
  'creating a link': onFile('file.created', ({ client }, { id: targetFileId }) =>
    client.files.create({ source: 'link', targetFileId }),
  ),
  'copying a folder with its contents': scenario('file.created', async ({ client, folder, file }) => {
    const { id } = await folder()
    await file(id)
    return () => client.files.copy({ id })
  }),
  'renaming a file': onFile('file.updated', ({ client }, { id }) =>
    client.files.update({ id, name: 'new.txt' }),
  ),
  'retagging a file without moving it': onFile('file.updated', ({ client }, { id }) =>
    client.files.update({ id, tags: ['a'], parentId: null }),
  ),
  'moving a file and renaming it': scenario('file.moved', async ({ client, folder, file }) => {
    const [{ id: parentId }, { id }] = [await folder(), await file()]
    return () => client.files.update({ id, parentId, name: 'new.txt' })
  }),
  'moving a folder': scenario('file.moved', async ({ client, folder }) => {
    const [{ id: parentId }, { id }] = [await folder(), await folder()]
    return () => client.files.update({ id, parentId })
  }),
  'deleting a folder with its contents': scenario('file.deleted', async ({ client, folder, file }) => {
    const { id } = await folder()
    await file(id)
    return () => client.files.remove({ id })
  }),
  'restoring a file from the trash': scenario('file.restored', async ({ client, file }) => {
    const { id } = await file()
    await client.files.remove({ id })
    return async () => createdRecord({ file: await client.files.restore({ id }) })
  }),
  'creating a public link': onFile('file.shared', ({ client }, { id }) => client.publicLinks.create({ id })),
  'revoking a public link': scenario('file.unshared', async ({ client, file }) => {
    const { id } = await file()
    const { id: linkId } = await client.publicLinks.create({ id })
    return () => client.publicLinks.revoke({ id, linkId })
  }),
  'purging a file': scenario('file.purged', async ({ client, file }) => {
    const { id } = await file()
    await client.files.remove({ id })
    return () => client.files.remove({ id, permanent: 'true' })
  }),
}

function requireSuccess({ status }: { status: number }): void {
  if (status >= 300) throw new Error(`The response has status ${status}`)
}

const onAgents: Record<string, EventScenario> = {
  'creating an agent': onNothing('agent.created', ({ client }) => client.agents.create({ name: 'Writer' })),
  'changing an agent': onAgent('agent.updated', ({ client }, { id }) =>
    client.agents.update({ id, prompt: 'Be brief' }),
  ),
  'archiving an agent': onAgent('agent.updated', ({ client }, { id }) => client.agents.remove({ id })),
  'unarchiving an agent': scenario('agent.updated', async ({ client }) => {
    const { id } = await client.agents.create({ name: 'Writer' })
    await client.agents.remove({ id })
    return () => client.agents.unarchive({ id })
  }),
  'restoring a version of an agent': scenario('agent.updated', async ({ client }) => {
    const { id } = await client.agents.create({ name: 'Writer' })
    await client.agents.update({ id, prompt: 'Be brief' })
    return () => client.agents.restore({ id, version: 1 })
  }),
}

let skills = 0
/** All scenarios share an organization, so names must be unique. */
const skill = () => ({ name: `notes-${++skills}`, description: 'Takes notes' })

const onSkills: Record<string, EventScenario> = {
  'creating a skill': onNothing('skill.created', ({ client }) => client.skills.create(skill())),
  'changing a skill': scenario('skill.updated', async ({ client }) => {
    const { id } = await client.skills.create(skill())
    return () => client.skills.update({ id, instructions: 'Be brief' })
  }),
  'deleting a skill': scenario('skill.deleted', async ({ client }) => {
    const { id } = await client.skills.create(skill())
    return () => client.skills.remove({ id })
  }),
}

const fact = { key: 'color', content: 'Red' }

const onMemory: Record<string, EventScenario> = {
  'saving a memory': onNothing('memory.created', ({ client }) => client.memory.create(fact)),
  'changing a memory': scenario('memory.updated', async ({ client }) => {
    const { id } = await client.memory.create(fact)
    return () => client.memory.update({ id, content: 'Blue' })
  }),
  'deleting a memory': scenario('memory.deleted', async ({ client }) => {
    const { id } = await client.memory.create(fact)
    return () => client.memory.remove({ id })
  }),
  'deciding about a memory': scenario('memory.decided', async ({ app, client, project }) => {
    const { id } = await client.memory.create({ ...fact, projectId: (await project()).id })
    await app.sql`update memories set status = 'proposed', source = 'run' where id = ${id}`
    return () => client.memory.reject({ id })
  }),
}

const onSessions: Record<string, EventScenario> = {
  'starting a session': onProject('session.created', ({ client }, { id: projectId }) =>
    client.sessions.create({ projectId }),
  ),
  'ending a session': onSession('session.ended', ({ client }, { id }) =>
    client.sessions.update({ id, status: 'ended' }),
  ),
  'adding a participant': onSession('session.participant.added', async ({ app, org, client }, { id }) =>
    client.sessions.addParticipant({ id, userId: (await app.person(org)).id }),
  ),
  'removing a participant': scenario('session.participant.removed', async ({ app, org, client, project }) => {
    const { id } = await client.sessions.create({ projectId: (await project()).id })
    const { id: userId } = await app.person(org)
    await client.sessions.addParticipant({ id, userId })
    return () => client.sessions.removeParticipant({ id, userId })
  }),
}

const onOthers: Record<string, EventScenario> = {
  'submitting feedback': onNothing('feedback.created', ({ client }) =>
    client.feedback.submit({ message: 'Hello' }),
  ),
  'editing feedback': onFeedback('feedback.updated', ({ client }, { id }) =>
    client.feedback.edit({ id, message: 'Hello again' }),
  ),
  'commenting on feedback': onFeedback('feedback.updated', ({ client }, { id }) =>
    client.feedback.comment({ id, body: 'Me too' }),
  ),
  'triaging feedback': onFeedback('feedback.updated', ({ operator }, { id }) =>
    operator.feedback.handle({ id, status: 'triaged' }),
  ),
  'creating a key': onNothing('key.created', ({ client }) => client.apiKeys.create({ name: 'ci' })),
  'renaming a key': onKey('key.updated', ({ client }, { id }) => client.apiKeys.update({ id, name: 'cd' })),
  'changing the scopes of a key': onKey('key.updated', ({ client }, { id }) =>
    client.apiKeys.update({ id, scopes: ['files:read'] }),
  ),
  'revoking a key': onKey('key.revoked', ({ client }, { id }) => client.apiKeys.revoke({ id })),
  'testing a webhook': scenario('webhook.test', async ({ client }) => {
    const { id: webhookId } = await client.webhooks.create({ name: 'Quiet', source: 'elsewhere' })
    return () => client.webhooks.test({ webhookId })
  }),
}

export const EVENT_SCENARIOS = Object.entries({
  ...onProjects,
  ...onTables,
  ...onCanvases,
  ...onFiles,
  ...onAgents,
  ...onSessions,
  ...onMemory,
  ...onSkills,
  ...onComments,
  ...onOthers,
})
