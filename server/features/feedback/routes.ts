import { feedback } from '../../../contract/feedback.ts'
import { handle } from '../../endpoint/route.ts'
import { inspect, listQueue, updateStatus } from './queue.ts'
import { edit, get, list, submit } from './submissions.ts'
import { addComment, readThread } from './thread.ts'

export const feedbackRoutes = [
  handle(feedback.list, list),
  handle(feedback.submit, submit),
  handle(feedback.edit, edit),
  handle(feedback.get, get),
  handle(feedback.comments, readThread),
  handle(feedback.comment, addComment),
  handle(feedback.queue, listQueue),
  handle(feedback.inspect, inspect),
  handle(feedback.handle, updateStatus),
]
