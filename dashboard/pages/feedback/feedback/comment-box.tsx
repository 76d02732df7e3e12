import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { shortMessage } from '../../../api/explain.ts'
import { Button } from '../../../components/button.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { submitOnModEnter, TextArea } from '../../../components/forms/field.tsx'
import { KEY_HINT, Keys } from '../../../components/kbd.tsx'
import { createRequestKey } from '../../../state/random-id.ts'
import { commentsQuery } from './feedback-queries.ts'
import { MESSAGE_LENGTH_MAX } from './limits.ts'

export function CommentBox({ feedbackId }: { feedbackId: string }) {
  const [body, setBody] = useState('')
  const [requestKey] = useState(createRequestKey)
  const queries = useQueryClient()
  const comment = useMutation({
    mutationFn: () => {
      const request = { id: feedbackId, body }
      return api.feedback.comment(request, { idempotencyKey: requestKey.of(request) })
    },
    onSuccess: async () => {
      requestKey.reset()
      setBody('')
      await queries.invalidateQueries({ queryKey: commentsQuery(feedbackId).queryKey })
      void queries.invalidateQueries({ queryKey: ['feedback', 'list'] })
    },
  })
  const send = () => {
    if (!comment.isPending && body.trim()) comment.mutate()
  }
  return (
    <form
      className="flex flex-col gap-8"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <FormFailure>{comment.error ? shortMessage(comment.error) : undefined}</FormFailure>
      <TextArea
        label="Add a comment"
        rows={3}
        limit={MESSAGE_LENGTH_MAX}
        readOnly={comment.isPending}
        value={body}
        onChange={(event) => setBody(event.target.value)}
        onKeyDown={submitOnModEnter}
      />
      <div className="flex items-center gap-12">
        <Button type="submit" busy={comment.isPending} disabled={!body.trim()}>
          Comment
        </Button>
        <span className={KEY_HINT}>
          <Keys keys="mod+Enter" />
        </span>
      </div>
    </form>
  )
}
