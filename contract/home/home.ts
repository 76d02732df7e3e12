import { z } from 'zod'
import { CALL_RISKS } from '../agents/run-events.ts'
import { endpoint, member } from '../endpoint.ts'
import { Id, Timestamp, text } from '../fields.ts'
import { HealthSummary } from '../organizations/health.ts'
import { Money } from '../projects/projects.ts'
import { ATTENTION_KINDS, HOME_LIMITS, NEWS_KINDS, TOUR_STEPS } from './home-options.ts'

const Project = z.object({ id: Id, name: z.string() })
const Person = z.object({ id: Id, name: z.string() })
const Path = z.string().describe('Dashboard page where you can act on it')
const Kind = z.enum(ATTENTION_KINDS)

const Attention = z.object({
  key: z.string().describe('Identifies the entry, such as `run:<id>`'),
  kind: Kind,
  title: z.string().describe('Subject of the entry'),
  detail: z.string().nullable().describe('Why it needs attention'),
  agent: Person.nullable().describe('The agent that asks or ran'),
  approval: z
    .object({
      canApprove: z.boolean().describe('You can deny it in any case'),
      risk: z.enum(CALL_RISKS).describe('Read the approval before you approve a call with a risk'),
      requiresStepUp: z.boolean().describe('Whether approving is risky enough to require step-up'),
    })
    .nullable()
    .describe('For `approval`: decide it with `POST /approvals/:id`; the id is part of `key`'),
  project: Project.nullable(),
  path: Path,
  at: Timestamp,
  dismissible: z.boolean().describe('Whether `POST /home/dismissed` can remove it'),
})

const News = z.object({
  kind: z.enum(NEWS_KINDS),
  project: Project,
  agentId: Id.nullable().describe('For `runs`'),
  agentName: z
    .string()
    .nullable()
    .describe('For `runs`: one agent’s runs with the same result are one entry'),
  status: z.enum(['succeeded', 'failed', 'canceled']).nullable().describe('For `runs`'),
  title: z.string().nullable().describe('The newest run’s title, file’s name or comment’s text'),
  count: z.int().describe('Number of runs, changes, files or comments, at most 100'),
  people: z.array(z.string()).describe('At most three users who made the changes'),
  actors: z.array(Person).describe('The same users with their ids, without guests'),
  path: Path,
  at: Timestamp.describe('Time of the newest'),
})

const RecentProject = z.object({
  id: Id,
  slug: z.string(),
  name: z.string(),
  emoji: z.string().nullable(),
  visibility: z.enum(['team', 'private']),
  usedAt: Timestamp.describe('When you last opened or changed it'),
  lastActivityAt: Timestamp,
})

const Day = z.object({ day: z.string(), cost: Money, calls: z.int(), tokens: z.int() })

const Usage = z.object({
  from: z.string(),
  to: z.string(),
  isOwn: z.boolean().describe('Whether it covers only the caller’s usage, as for members'),
  cost: Money,
  calls: z.int(),
  tokens: z.int(),
  days: z.array(Day).describe('Every day in the range, oldest first'),
})

const LiveRun = z.object({
  id: Id,
  title: z.string(),
  status: z.enum(['queued', 'running', 'waiting']),
  agent: Person,
  project: Project,
  scheduleName: z.string().nullable().describe('Of the schedule that started it'),
  steps: z.int().describe('Model calls so far'),
  cost: Money,
  startedAt: Timestamp.nullable(),
  createdAt: Timestamp,
})

const Month = z.object({
  from: z.string().describe('First day of the current month, in UTC'),
  to: z.string().describe('Today'),
  isOwn: z.boolean().describe('Whether it covers only the caller’s usage, as for members'),
  cost: Money,
  budget: Money.nullable().describe('The organization’s monthly budget; a member’s own, if `isOwn`'),
  days: z.array(z.object({ day: z.string(), cost: Money })).describe('Days with usage, oldest first'),
})

const FirstSteps = z.object({
  asked: z.boolean().describe('You have written to an agent other than the sample project’s'),
  model: z.boolean().describe('A provider besides the test models is set up'),
  invite: z.boolean().describe('The organization has several members or an open invitation'),
  connect: z.boolean().describe('You have connected an app'),
  schedule: z.boolean().describe('The organization has a schedule'),
  opened: z.boolean().describe('You have opened a project'),
  notifications: z.boolean().describe('You have saved your notification settings'),
  project: z.boolean(),
  chat: z.boolean(),
  key: z.boolean(),
  call: z.boolean(),
  feedback: z.boolean(),
  hidden: z.boolean(),
})

const Tour = z.object({
  step: z.enum(TOUR_STEPS).nullable().describe('Last step shown; null before the first'),
  ended: z.boolean().describe('Whether the user finished or left the tour'),
})

const limit = { name: 'home', by: 'caller', capacity: 120, perSeconds: 60 } as const

export const home = {
  read: endpoint({
    method: 'GET',
    path: '/api/v1/home',
    summary: 'Get the home page',
    description: `Pending decisions and problems, news since your last visit, the projects you work on, and usage for the last ${HOME_LIMITS.usageDays} days. Contains only records you can see. A visit ends after ${HOME_LIMITS.visitHours} hours without opening the page.`,
    access: member(),
    output: z.object({
      attention: z.array(Attention).describe(`At most ${HOME_LIMITS.attention} per kind`),
      more: z.array(Kind).describe('Kinds that have more entries'),
      unreadCount: z.int().describe('Unread notifications; at most 100'),
      newsSince: Timestamp.describe('News starts here, never before you joined the organization'),
      lastVisitAt: Timestamp.nullable().describe(
        'End of your previous visit; null if there was none, or if you have cleared the news',
      ),
      news: z.array(News),
      projects: z.array(RecentProject),
      live: z.array(LiveRun).describe(`Agents at work, newest first; at most ${HOME_LIMITS.live}`),
      month: Month,
      usage: Usage,
      health: HealthSummary.nullable().describe(
        'State of the installation; for operators in a browser session',
      ),
      firstSteps: FirstSteps,
      tour: Tour,
    }),
  }),
  counts: endpoint({
    method: 'GET',
    path: '/api/v1/home/counts',
    summary: 'Count what waits for you',
    description:
      'One cheap request for badges, such as in a sidebar. Each number is at most 100 and counts only records you can see.',
    access: member(),
    output: z.object({
      inbox: z
        .int()
        .describe('`decisions` and unread notifications about anything else, so that each counts once'),
      unread: z.int().describe('Unread notifications'),
      decisions: z
        .int()
        .describe(
          'Open approvals and questions you can decide, your expired connections and, for owners and admins, machine payments that need approval',
        ),
      live: z.int().describe('Agent runs at work, or about to call their model'),
      memory: z.int().describe('Proposed memories you can accept or reject, of the newest 50'),
      budgets: z.int().describe('Spent budgets that pause agents'),
      phone: z.boolean().describe('Whether the organization has a phone number'),
    }),
  }),
  seen: endpoint({
    method: 'POST',
    path: '/api/v1/home/seen',
    summary: 'Record a visit to the home page',
    description:
      'The dashboard sends it while the page is open. Has no effect if the last one was less than a minute ago. With `clear`, the news so far is no longer listed.',
    access: member(),
    body: z.object({ clear: z.boolean().default(false) }).meta({ examples: [{}] }),
    output: z.object({ newsSince: Timestamp }),
    limit,
  }),
  dismiss: endpoint({
    method: 'POST',
    path: '/api/v1/home/dismissed',
    summary: 'Remove an entry from the home page',
    description:
      'For entries with `dismissible`. With `dismissed: false`, the entry is listed again. A removed failed run stays in the run list; a notification is marked as read.',
    access: member(),
    body: z
      .object({
        key: text(1, 100).refine(
          (key) => /^(notification|run|webhook):[0-9a-f-]{36}(:\d{1,15})?$/.test(key),
          'must be an entry key with `dismissible`',
        ),
        dismissed: z.boolean().default(true),
      })
      .meta({ examples: [{ key: 'run:01890000-0000-7000-8000-000000000000' }] }),
    output: z.object({ dismissed: z.boolean() }),
    limit,
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/v1/home',
    summary: 'Update the first steps and the tour',
    description: 'Stored per member and organization.',
    access: member(),
    body: z
      .object({
        hidesFirstSteps: z.boolean(),
        tour: z.strictObject({ step: z.enum(TOUR_STEPS).nullable(), ended: z.boolean() }),
      })
      .partial()
      .refine((change) => change.hidesFirstSteps !== undefined || change.tour !== undefined, {
        error: 'must have at least one field to change',
      })
      .meta({ examples: [{ tour: { step: 'agent', ended: false } }] }),
    output: z.object({ hidesFirstSteps: z.boolean(), tour: Tour }),
    limit,
  }),
}
