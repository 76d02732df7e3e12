import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { t } from '../../../contract/text.ts'
import { app } from '../../frame/root-route.tsx'
import { operate } from '../../frame/settings-routes.ts'
import { parseFeedbackStatus } from './queue/queue-status.ts'

const feedback = createRoute({
  getParentRoute: () => app,
  path: 'feedback',
  staticData: { title: t`Feedback` },
  component: lazyRouteComponent(() => import('./feedback/feedback-page.tsx'), 'FeedbackPage'),
})

const submission = createRoute({
  getParentRoute: () => feedback,
  path: '$id',
  staticData: { title: t`Submission` },
  component: lazyRouteComponent(() => import('./feedback/submission-panel.tsx'), 'SubmissionPanel'),
})

export const feedbackRoutes = feedback.addChildren([submission])

const queue = createRoute({
  getParentRoute: () => operate,
  path: 'feedback',
  staticData: { title: t`Feedback queue` },
  validateSearch: ({ status }: { status?: unknown }) => {
    const known = parseFeedbackStatus(status)
    return known ? { status: known } : {}
  },
  component: lazyRouteComponent(() => import('./queue/queue-page.tsx'), 'QueuePage'),
})

const queueItem = createRoute({
  getParentRoute: () => queue,
  path: '$id',
  staticData: { title: t`Queued feedback` },
  component: lazyRouteComponent(() => import('./queue/queue-item-panel.tsx'), 'QueueItemPanel'),
})

export const queueRoutes = queue.addChildren([queueItem])
