import { expect, test } from 'vitest'
import { describeAction } from './audit-descriptions.ts'
import type { AuditRecord } from './audit-queries.ts'

const describe = (action: string, details: Record<string, string>, target: string | null = null) =>
  describeAction({ action, details, target } as unknown as AuditRecord, (id) =>
    id === 'ben' ? 'Ben' : undefined,
  )

test.each([
  ['identity.linked', { provider: 'google' }, 'linked their Google account'],
  ['identity.unlinked', {}, 'unlinked an account'],
  ['session.ended', { others: '1' }, 'ended another session'],
  ['session.ended', { others: '3' }, 'ended 3 other sessions'],
  ['approval.decided', { tool: 'create_project', decision: 'approve' }, 'approved a call to create_project'],
  ['approval.decided', { decision: 'deny' }, 'denied a tool call'],
  ['comment.deleted', { author: 'Grace' }, 'deleted a comment by Grace'],
  [
    'app.connected',
    { name: 'Desk', host: 'desk.example', access: 'read' },
    'connected the app Desk (desk.example) (read)',
  ],
  [
    'project.shared',
    { name: 'Launch', how: 'created', access: 'view' },
    'created a share link for the project Launch (can view)',
  ],
  [
    'project.invited',
    { name: 'Launch', email: 'a@b.c', role: 'editor' },
    'invited a@b.c to the project Launch as editor',
  ],
  ['project.uninvited', { name: 'Launch' }, 'revoked an invite link for the project Launch'],
  [
    'budget.set',
    { scope: 'project', period: 'month', from: 'none', to: '10' },
    'set the budget for a project per month to $10.00',
  ],
  [
    'budget.set',
    { scope: 'org', period: 'total', from: '5', to: '10' },
    'changed the budget for the organization in total from $5.00 to $10.00',
  ],
  [
    'budget.removed',
    { scope: 'user', period: 'day', from: '5', to: 'none' },
    'removed the budget for one member per day ($5.00)',
  ],
  [
    'payment.decided',
    { decision: 'approve', amount: '7.000000', currency: 'usd' },
    'approved a machine payment of $7.00',
  ],
  [
    'mandate.created',
    { holder: 'agent', perPayment: '5', currency: 'eur' },
    'created a mandate for an agent (€5 per payment)',
  ],
  ['voice-agent.created', { provider: 'elevenlabs' }, 'added a voice agent from ElevenLabs'],
  ['quota.changed', { quota: 'files', from: '1', to: '2' }, 'changed the quota “Files” from 1 to 2'],
  ['invite.revoked', { email: 'a@b.c' }, 'revoked a@b.c’s invitation'],
  ['unknown.action', {}, 'unknown.action'],
])('%s with %j reads “%s”', (action, details, text) => expect(describe(action, details)).toBe(text))

test('a changed role names the member and both roles', () => {
  expect(describe('member.role-changed', { from: 'member', to: 'admin' }, 'ben')).toBe(
    'changed Ben’s role from member to admin',
  )
})
