import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Role } from '../../../../contract/accounts/accounts.ts'
import { script } from '../../../testing/clients/agent-runs.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
  await app.app.startWorker()
})
afterAll(() => app.close())

const AGENT = { name: 'Shared', model: 'test/script' }
const SEND = script('call submit_feedback {"message":"Hello"}', '---', 'say Done')

async function setUp() {
  const org = await app.organization()
  const join = async (role: Role) => {
    const person = await app.person(org, { role })
    return Object.assign(await app.withSession(person), { person })
  }
  return { org, member: await join('member'), admin: await join('admin'), owner: await join('owner') }
}

type Member = Awaited<ReturnType<typeof setUp>>['member']

async function start(by: Member, projectId: string, agentId: string, content = SEND) {
  const session = await by.sessions.create({ projectId, agentId, message: { content } })
  return { id: session.run!.id, sessionId: session.id, run: await by.agentRuns.get({ id: session.run!.id }) }
}

const untilStatus = (by: Member, id: string, status: string) =>
  expect.poll(async () => (await by.agentRuns.get({ id })).status, { timeout: 20_000 }).toBe(status)

async function openApproval(by: Member, runId: string) {
  await untilStatus(by, runId, 'waiting')
  return (await by.approvals.list({ runId })).items[0]!
}

describe('a run', () => {
  test('starts as verified if a lower role last changed its agent, and asks despite an allow rule', async () => {
    const { member, admin, owner } = await setUp()
    const { id: projectId } = await owner.projects.create({ name: 'Plan', visibility: 'team' })
    const agent = await member.agents.create({ ...AGENT, approvals: { send: 'allow' } })
    const byOwner = await start(owner, projectId, agent.id)
    expect(byOwner.run).toMatchObject({ trust: 'verified', trustReason: 'agent' })
    expect(await openApproval(owner, byOwner.id)).toMatchObject({ tool: 'submit_feedback' })
    const byMember = await start(member, projectId, agent.id)
    expect(byMember.run).toMatchObject({ trustReason: null })
    await untilStatus(member, byMember.id, 'succeeded')
    // Archiving is no review.
    await owner.agents.remove({ id: agent.id })
    await owner.agents.unarchive({ id: agent.id })
    expect((await start(owner, projectId, agent.id)).run.trust).toBe('verified')
    await admin.agents.update({ id: agent.id, prompt: 'Reviewed' })
    expect((await start(admin, projectId, agent.id)).run.trust).toBe('trusted')
    expect((await start(owner, projectId, agent.id)).run.trust).toBe('verified')
    await owner.agents.update({ id: agent.id, prompt: 'Reviewed twice' })
    expect((await start(owner, projectId, agent.id)).run.trust).toBe('trusted')
  })

  test("starts as verified if a lower role wrote its project's prompt, even in a copy", async () => {
    const { member, owner } = await setUp()
    const agent = await owner.agents.create(AGENT)
    const project = await member.projects.create({ name: 'Plan', visibility: 'team', prompt: 'Obey me' })
    const lowered = { trust: 'verified', trustReason: 'project_prompt' }
    expect((await start(owner, project.id, agent.id)).run).toMatchObject(lowered)
    const copy = await owner.projects.duplicate({ id: project.id })
    expect((await start(owner, copy.id, agent.id)).run).toMatchObject(lowered)
    const { id: template } = await owner.templates.create({ projectId: project.id })
    const started = await owner.templates.start({ template })
    expect((await start(owner, started.id, agent.id)).run).toMatchObject(lowered)
    await owner.projects.update({ id: copy.id, prompt: 'Reviewed' })
    expect((await start(owner, copy.id, agent.id)).run.trust).toBe('trusted')
  })

  test("drops to verified when a lower role changes its project's prompt meanwhile", async () => {
    const { member, owner } = await setUp()
    const agent = await owner.agents.create(AGENT)
    const project = await member.projects.create({ name: 'Plan', visibility: 'team' })
    const { id, run } = await start(owner, project.id, agent.id)
    expect(run.trust).toBe('trusted')
    await openApproval(owner, id)
    await member.projects.update({ id: project.id, prompt: 'Obey me' })
    expect(await owner.agentRuns.get({ id })).toMatchObject({
      trust: 'verified',
      trustReason: 'project_prompt',
    })
  })

  test('starts as verified if a lower role changed one of its skills', async () => {
    const { member, owner } = await setUp()
    const project = await owner.projects.create({ name: 'Plan', visibility: 'team' })
    const skill = await member.skills.create({
      name: 'send',
      description: 'How to send',
      instructions: 'Send.',
    })
    const agent = await owner.agents.create({ ...AGENT, skills: [skill.id] })
    expect((await start(owner, project.id, agent.id)).run).toMatchObject({
      trust: 'verified',
      trustReason: 'skill',
    })
  })

  test("starts as verified if a lower role wrote its block's instructions, even in a copy and after a rewind", async () => {
    const { member, owner } = await setUp()
    const agent = await owner.agents.create(AGENT)
    const { id: projectId } = await owner.projects.create({ name: 'Plan', visibility: 'team' })
    const { id: blockId } = await member.canvas.create({
      projectId,
      type: 'agent',
      content: script('say Whatever the member wants'),
      metadata: { agentId: agent.id },
    })
    const runIn = async (canvas: string, block: string) => {
      const { run } = await owner.agentBlocks.run({ projectId: canvas, blockId: block })
      await untilStatus(owner, run.id, 'succeeded')
      return owner.agentRuns.get({ id: run.id })
    }
    const lowered = { trust: 'verified', trustReason: 'block' }
    expect(await runIn(projectId, blockId)).toMatchObject(lowered)
    const copy = await owner.projects.duplicate({ id: projectId })
    const [copied] = (await owner.canvas.list({ projectId: copy.id })).items
    expect(await runIn(copy.id, copied!.id)).toMatchObject(lowered)
    const snapshot = await owner.canvas.snapshot({ projectId, name: 'Before' })
    await owner.canvas.update({ projectId, blockId, content: script('say What the owner wants') })
    expect(await runIn(projectId, blockId)).toMatchObject({ trustReason: null })
    await owner.canvas.restoreSnapshot({ projectId, snapshotId: snapshot.id })
    expect(await runIn(projectId, blockId)).toMatchObject(lowered)
  })

  test("starts as verified in a copy of a lower role's note that became an agent block", async () => {
    const { member, owner } = await setUp()
    const agent = await owner.agents.create(AGENT)
    const { id: projectId } = await owner.projects.create({ name: 'Plan', visibility: 'team' })
    const { id: blockId } = await member.canvas.create({
      projectId,
      type: 'note',
      content: script('say Whatever the member wants'),
    })
    await owner.canvas.update({ projectId, blockId, type: 'agent', metadata: { agentId: agent.id } })
    const copy = await owner.projects.duplicate({ id: projectId })
    const [copied] = (await owner.canvas.list({ projectId: copy.id })).items
    const { run } = await owner.agentBlocks.run({ projectId: copy.id, blockId: copied!.id })
    expect(await owner.agentRuns.get({ id: run.id })).toMatchObject({
      trust: 'verified',
      trustReason: 'block',
    })
  })

  test('starts as verified if a lower role wrote in its conversation', async () => {
    const { member, owner } = await setUp()
    const project = await owner.projects.create({ name: 'Plan', visibility: 'team' })
    const agent = await owner.agents.create(AGENT)
    const { id, sessionId } = await start(member, project.id, agent.id, script('say Hello'))
    await untilStatus(member, id, 'succeeded')
    const { run } = await owner.sessions.send({ id: sessionId, content: script('say Hello') })
    expect(await owner.agentRuns.get({ id: run!.id })).toMatchObject({
      trust: 'verified',
      trustReason: 'message',
    })
  })
})

describe('an approval', () => {
  test("can be denied, but not approved, by a member for a call with an owner's permissions", async () => {
    const { member, owner } = await setUp()
    const project = await owner.projects.create({ name: 'Plan', visibility: 'team' })
    const agent = await owner.agents.create(AGENT)
    const { id } = await start(owner, project.id, agent.id)
    const approval = await openApproval(owner, id)
    expect(approval).toMatchObject({ canDecide: true, canApprove: true })
    expect(await member.approvals.get({ id: approval.id })).toMatchObject({
      canDecide: true,
      canApprove: false,
    })
    await expect(member.approvals.decide({ id: approval.id, decision: 'approve' })).rejects.toMatchObject({
      status: 403,
      details: { reason: 'lower_role' },
    })
    await member.approvals.decide({ id: approval.id, decision: 'deny' })
    await untilStatus(owner, id, 'succeeded')
  })

  test('always allows an agent only when decided by someone who may change it, and not for higher roles', async () => {
    const { org, member, owner } = await setUp()
    const project = await owner.projects.create({ name: 'Plan', visibility: 'team' })
    const agent = await member.agents.create(AGENT)
    const other = await app.withSession(await app.person(org))
    const { id } = await start(member, project.id, agent.id)
    const approval = await openApproval(member, id)
    const always = { id: approval.id, decision: 'approve', scope: 'agent' } as const
    await expect(other.approvals.decide(always)).rejects.toMatchObject({
      status: 403,
      details: { reason: 'not_creator' },
    })
    await member.approvals.decide(always)
    await untilStatus(member, id, 'succeeded')
    const again = await start(member, project.id, agent.id)
    await untilStatus(member, again.id, 'succeeded')
    // The owner adopts the agent, so that only the author of the grant makes the difference.
    await owner.agents.update({ id: agent.id, prompt: 'Reviewed' })
    const byOwner = await start(owner, project.id, agent.id)
    expect(byOwner.run.trust).toBe('trusted')
    await openApproval(owner, byOwner.id)
    const [grant] = (await member.approvals.grants({ agentId: agent.id })).items
    await expect(other.approvals.revokeGrant({ id: grant!.id })).rejects.toMatchObject({
      details: { reason: 'not_creator' },
    })
    await member.approvals.revokeGrant({ id: grant!.id })
  })

  test("lowers the run's trust if another member answers its question", async () => {
    const { member, owner } = await setUp()
    const project = await owner.projects.create({ name: 'Plan', visibility: 'team' })
    const agent = await owner.agents.create(AGENT)
    const { id } = await start(
      owner,
      project.id,
      agent.id,
      script('call ask_person {"question":"Which?"}', '---', 'say Done'),
    )
    const question = await openApproval(owner, id)
    await member.approvals.decide({ id: question.id, decision: 'approve', answer: 'Send it all' })
    await untilStatus(owner, id, 'succeeded')
    expect((await owner.agentRuns.get({ id })).trust).toBe('verified')
  })
})
