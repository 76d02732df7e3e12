import { describe, expect, test } from 'vitest'
import { CALL_RISKS } from '../../../../../contract/agents/run-events.ts'
import { type Grant, policyFor } from './policy.ts'

const RISKY = CALL_RISKS.filter((risk) => risk !== 'none')
const policyWith = (input: Partial<Parameters<typeof policyFor>[0]>) =>
  policyFor({
    tool: 'write_file',
    risk: 'none',
    trust: 'trusted',
    agent: { approvals: {} },
    grants: [],
    ...input,
  })

describe('a trusted run', () => {
  test('requires approval to send, spend, share or execute, but not for changes that can be undone', () => {
    const policies = CALL_RISKS.map((risk) => [risk, policyWith({ risk })])
    expect(Object.fromEntries(policies)).toEqual({
      none: 'allow',
      delete: 'allow',
      send: 'ask',
      spend: 'ask',
      share: 'ask',
      execute: 'ask',
    })
  })

  test("follows the agent's settings, first for the tool and then for the risk", () => {
    const agent = { approvals: { send: 'allow', send_sms: 'deny' } } as const
    expect(policyWith({ risk: 'send', tool: 'send_email', agent })).toBe('allow')
    expect(policyWith({ risk: 'send', tool: 'send_sms', agent })).toBe('deny')
  })

  test('requires no approval for a tool that a member always allows, unless the agent denies it', () => {
    const grants: Grant[] = [{ tool: 'send_sms', risk: 'send', scope: 'agent' }]
    expect(policyWith({ risk: 'send', tool: 'send_sms', grants })).toBe('allow')
    expect(policyWith({ risk: 'send', tool: 'send_email', grants })).toBe('ask')
    expect(policyWith({ risk: 'spend', tool: 'send_sms', grants })).toBe('ask')
    const agent = { approvals: { send: 'deny' } } as const
    expect(policyWith({ risk: 'send', tool: 'send_sms', grants, agent })).toBe('deny')
  })
})

describe.each(['verified', 'untrusted'] as const)('a run that is %s', (trust) => {
  test('requires approval before every risky call, even if the agent or an earlier approval allows it', () => {
    for (const risk of RISKY) {
      const agent = { approvals: { [risk]: 'allow' } } as const
      const grants: Grant[] = [{ tool: 'write_file', risk, scope: 'agent' }]
      expect([risk, policyWith({ risk, trust, agent, grants })]).toEqual([risk, 'ask'])
    }
    expect(policyWith({ trust })).toBe('allow')
  })

  test('requires no approval for a tool that a member allowed in its session', () => {
    expect(
      policyWith({ risk: 'send', trust, grants: [{ tool: 'write_file', risk: 'send', scope: 'session' }] }),
    ).toBe('allow')
  })
})
