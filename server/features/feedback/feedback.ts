import { feedback as endpoints } from '../../../contract/feedback.ts'
import { handle } from '../../endpoint/route.ts'
import type { Feature } from '../../feature.ts'
import { feedbackJobs } from './notify.ts'
import { inspect, listQueue, updateStatus } from './queue.ts'
import { edit, get, list, submit } from './submissions.ts'
import { addComment, readThread } from './thread.ts'

/** Feedback for the operators, with a thread and a status. */
export const feedback: Feature = {
  routes: [
    handle(endpoints.list, list),
    handle(endpoints.submit, submit),
    handle(endpoints.edit, edit),
    handle(endpoints.get, get),
    handle(endpoints.comments, readThread),
    handle(endpoints.comment, addComment),
    handle(endpoints.queue, listQueue),
    handle(endpoints.inspect, inspect),
    handle(endpoints.handle, updateStatus),
  ],
  jobs: feedbackJobs,
}
