import { expect, test } from 'vitest'
import { describeAction, describeDays, describeMatch } from './describe-rule.ts'

test("describes a rule's conditions, times and action", () => {
  expect(describeMatch({ channel: 'both' }, String)).toBe('Calls and text messages')
  const match = {
    channel: 'voice' as const,
    numberIds: ['1'],
    callerPrefix: '+49',
    schedule: {
      tz: 'Europe/Berlin',
      days: ['mon' as const, 'tue' as const, 'wed' as const],
      from: '22:00',
      to: '06:00',
      holidays: ['2026-12-25'],
    },
  }
  expect(describeMatch(match, () => 'Support')).toBe(
    'Calls to Support from +49… · Mon–Wed 22:00–06:00 (next day) Europe/Berlin, not on 2026-12-25',
  )
  expect(describeDays(['mon', 'wed', 'thu'])).toBe('Mon, Wed, Thu')
  expect(describeAction({ type: 'forward', targets: ['+491', '+492'] }, () => undefined)).toBe(
    'Forward to +491, then +492',
  )
})
