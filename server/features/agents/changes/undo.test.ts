import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createdRecord } from '../../../testing/clients/file-client.ts'
import { callLine, scriptedAgent } from '../../../testing/clients/scripted-runs.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
  await app.app.startWorker()
})
afterAll(() => app.close())

/** A canvas and files, and a run that changes all of them in every way that its tools offer. */
async function changedProject() {
  const agent = await scriptedAgent(app)
  const { client, projectId, block, edge } = agent
  const plan = await block({ title: 'Plan', content: 'Old', x: 10 })
  const idea = await block({ title: 'Idea' })
  await edge(plan.id, idea.id, 'leads to')
  const planFile = await agent.write('plan.md', '# Plan\n')
  const notes = await agent.write('notes.md', 'Notes\n')
  await client.files.update({ id: notes.id, tags: ['draft'] })
  const archive = createdRecord(await client.files.create({ source: 'folder', name: 'Archive', projectId }))
  await agent.write('old.md', 'Old\n', archive.id)
  const before = await agent.everything()
  const runId = await agent.calls([
    [
      'edit_canvas',
      {
        create: [{ ref: 'new', type: 'note', content: '\n## New\nwith details' }],
        update: [{ id: 'Plan', content: 'New' }],
        delete: ['Idea'],
        connect: [{ fromBlockId: 'Plan', toBlockId: 'new' }],
      },
    ],
    ['write_file', { name: 'plan.md', text: '# Draft\n' }],
    ['write_file', { name: 'plan.md', text: '# New plan\n' }],
    ['write_file', { name: 'new.md', text: 'New\n' }],
    [
      'organize_files',
      {
        createFolders: ['Sorted/Deep'],
        move: [{ file: 'notes.md', folder: 'Sorted/Deep' }],
        rename: [{ file: 'notes.md', name: 'renamed.md' }],
        trash: ['Archive'],
      },
    ],
  ])
  const undo = (query: { dryRun?: 'true'; force?: 'true' } = {}, id = runId) =>
    client.agentRuns.undo({ id, ...query })
  return { ...agent, before, runId, undo, plan, idea, planFile, notes, archive }
}

describe("a run's changes", () => {
  test('list every block, edge and file once, with old and new values, page by page', async () => {
    const { client, runId, plan, idea, planFile, notes, archive } = await changedProject()
    const { items } = await client.agentRuns.changes({ id: runId, limit: 50 })
    const byId = new Map(items.map((item) => [item.id, item]))
    expect(byId.size).toBe(items.length)
    expect(byId.get(plan.id)).toMatchObject({
      kind: 'block',
      action: 'updated',
      name: 'Plan',
      before: { content: 'Old' },
      after: { content: 'New' },
    })
    expect(byId.get(idea.id)).toMatchObject({ action: 'deleted', before: { title: 'Idea' }, after: null })
    expect(byId.get(planFile.id)).toMatchObject({
      kind: 'file',
      action: 'updated',
      isText: true,
      before: { sha256: planFile.sha256, size: 7, name: 'plan.md', trashed: false },
      after: { size: 11 },
    })
    expect(byId.get(notes.id)).toMatchObject({
      before: { name: 'notes.md', tags: ['draft'] },
      after: { name: 'renamed.md', folder: expect.stringMatching(/\/Sorted\/Deep$/), tags: ['draft'] },
    })
    expect(byId.get(archive.id)).toMatchObject({ action: 'deleted', after: { trashed: true } })
    const names = items.map(({ kind, action, name }) => `${kind} ${action} ${name}`)
    expect(names.toSorted()).toEqual([
      'block created New',
      'block deleted Idea',
      'block updated Plan',
      'edge created Plan → New',
      'edge deleted leads to',
      'file created Deep',
      'file created Sorted',
      'file created new.md',
      'file deleted Archive',
      'file updated plan.md',
      'file updated renamed.md',
    ])

    const paged: unknown[] = []
    for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
      const page = await client.agentRuns.changes({ id: runId, limit: 2, cursor })
      paged.push(...page.items)
      cursor = page.nextCursor ?? undefined
    }
    expect(paged).toEqual(items)

    const textOf = (version: 'before' | 'after') =>
      client.agentRuns.changedText({ id: runId, fileId: planFile.id, version })
    expect(await textOf('before')).toMatchObject({ text: '# Plan\n', sha256: planFile.sha256 })
    expect(await textOf('after')).toMatchObject({ text: '# New plan\n', nextOffset: null })
  })
})

describe('undoing a run', () => {
  test('restores the exact canvas and files, and can be undone and repeated', async () => {
    const { client, everything, before, runId, undo, projectId } = await changedProject()
    const after = await everything()
    expect(after).not.toEqual(before)
    const preview = await undo({ dryRun: 'true' })
    expect(preview).toMatchObject({ runId, undoRunId: null, snapshotId: null })
    expect(preview.items.filter(({ isConflict }) => isConflict)).toEqual([])
    expect(await everything()).toEqual(after)

    const undone = await undo()
    expect(undone.items).toEqual(preview.items)
    expect(await everything()).toEqual(before)
    const { undoRunId } = undone
    expect(await client.agentRuns.get({ id: runId })).toMatchObject({
      restoredAt: expect.any(String),
      undoRunId,
    })
    await expect(undo()).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { reason: 'already_undone', undoRunId },
    })

    const restored = await undo({}, undoRunId!)
    expect(await everything()).toEqual(after)
    expect(await client.agentRuns.get({ id: runId })).toMatchObject({ restoredAt: null, undoRunId: null })
    await expect(undo({}, undoRunId!)).rejects.toMatchObject({ details: { reason: 'already_undone' } })
    await undo()
    expect(await everything()).toEqual(before)
    const again = await client.agentRuns.get({ id: runId })
    await undo({}, again.undoRunId!)
    expect(await everything()).toEqual(after)
    await client.canvas.restoreSnapshot({ projectId, snapshotId: restored.snapshotId! })
    expect((await everything()).canvas).toEqual(before.canvas)
  })

  test("names items others changed since, and with force reverts only the run's fields", async () => {
    const { client, projectId, everything, before, undo, plan, notes, planFile, tree } =
      await changedProject()
    await client.canvas.update({ projectId, blockId: plan.id, content: 'By hand', color: 'teal' })
    await client.files.update({ id: notes.id, tags: ['mine'] })
    const sorted = (await tree())['/Sorted'] as { id: string }
    await client.fileTexts.write({ name: 'mine.md', text: 'Mine\n', parentId: sorted.id })
    const after = await everything()
    const conflicts = [
      { kind: 'block', id: plan.id, reason: 'edited_since' },
      { kind: 'file', id: notes.id, reason: 'edited_since' },
      { kind: 'file', id: sorted.id, reason: 'in_use' },
    ]
    const preview = await undo({ dryRun: 'true' })
    const found = preview.items.filter(({ isConflict }) => isConflict)
    expect(found.map(({ kind, id, reason }) => ({ kind, id, reason }))).toEqual(
      expect.arrayContaining(conflicts),
    )
    expect(found).toHaveLength(conflicts.length)
    await expect(undo()).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { reason: 'edited_since', count: 3, items: found },
    })
    expect(await everything()).toEqual(after)

    await undo({ force: 'true' })
    const forced = await everything()
    const block = before.canvas.block[plan.id] as object
    expect(forced.canvas.block[plan.id]).toEqual({ ...block, color: 'teal' })
    const notesBefore = before.files['/notes.md'] as object
    expect(forced.files).toEqual({ ...before.files, '/notes.md': { ...notesBefore, tags: ['mine'] } })
    expect(forced.files['/plan.md']).toMatchObject({ id: planFile.id, text: '# Plan\n' })
  })

  test('skips, with force, items no longer stored, and restores the rest exactly', async () => {
    const { before, undo, tree, planFile } = await changedProject()
    await app.sql`delete from file_versions where file_id = ${planFile.id}`
    await expect(undo()).rejects.toMatchObject({
      details: { items: [{ id: planFile.id, action: 'skipped', reason: 'purged' }] },
    })
    await undo({ force: 'true' })
    const planBefore = before.files['/plan.md'] as object
    expect(await tree()).toEqual({ ...before.files, '/plan.md': { ...planBefore, text: '# New plan\n' } })
  })

  test("reverts a failed run's files too with restore-last-run", async () => {
    const { client, projectId, write, everything, play } = await scriptedAgent(app)
    await write('plan.md', '# Plan\n')
    const before = await everything()
    const runId = await play(
      [
        callLine('edit_canvas', { create: [{ type: 'note', title: 'Half' }] }),
        '---',
        callLine('write_file', { name: 'plan.md', text: 'Half' }),
        '---',
        'fail 400',
      ],
      'failed',
    )
    const { id: fileId } = (await everything()).files['/plan.md'] as { id: string }
    const restored = await client.runs.restoreLast({ projectId })
    expect(restored).toMatchObject({ runId, files: [{ id: fileId, action: 'reverted' }] })
    expect(await everything()).toEqual(before)
  })
})
