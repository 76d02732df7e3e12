import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { approvalQuery, refreshApprovals } from '../../../api/approvals.ts'
import { api } from '../../../api/client.ts'
import { failureMessage } from '../../../api/explain.ts'
import { Button } from '../../button.tsx'
import { FormFailure } from '../../failure.tsx'
import { CONTROL } from '../../forms/field.tsx'
import { Answer } from '../../markdown/markdown.tsx'
import { useOpenConversation } from '../conversation-context.ts'
import { choicesIn, questionIn } from '../question-input.ts'
import type { CardProps } from './approval-card.tsx'

export function QuestionCard({ input, approval }: CardProps) {
  const { conversation } = useOpenConversation()
  const { data } = useQuery({ ...approvalQuery(approval.id), enabled: input === undefined })
  const asked = input ?? data?.input
  const [answer, setAnswer] = useState('')
  const decide = useMutation({
    mutationFn: (reply: string | null) =>
      api.approvals.decide({
        id: approval.id,
        ...(reply === null ? { decision: 'deny' as const } : { decision: 'approve' as const, answer: reply }),
      }),
    onSettled: () => refreshApprovals(),
  })
  const question = questionIn({ input: asked, summary: approval.summary })
  const choices = choicesIn(asked)
  return (
    <section
      aria-label={textWithNames`Question: ${question}`}
      className="flex flex-col gap-12 rounded-panel border border-info-line bg-info-wash p-12"
    >
      <div>
        <p className="text-12 text-info-text">The agent asks</p>
        <Answer text={question} />
      </div>
      <FormFailure>{failureMessage(decide.error)}</FormFailure>
      {conversation.canEdit ? (
        <>
          {choices.length > 0 && (
            <div className="flex flex-wrap gap-8">
              {choices.map((choice) => (
                <Button key={choice} onClick={() => decide.mutate(choice)} disabled={decide.isPending}>
                  {choice}
                </Button>
              ))}
            </div>
          )}
          <form
            className="flex flex-wrap gap-8"
            onSubmit={(event) => {
              event.preventDefault()
              if (answer.trim() !== '' && !decide.isPending) decide.mutate(answer.trim())
            }}
          >
            <input
              aria-label="Your answer"
              placeholder={choices.length > 0 ? t`Or another answer` : t`Your answer`}
              maxLength={10_000}
              value={answer}
              onChange={(event) => setAnswer(event.target.value)}
              className={`h-32 min-w-0 flex-1 basis-filter ${CONTROL}`}
            />
            <Button look="primary" type="submit" busy={decide.isPending} disabled={answer.trim() === ''}>
              Answer
            </Button>
            <Button look="quiet" onClick={() => decide.mutate(null)} disabled={decide.isPending}>
              Don’t answer
            </Button>
          </form>
        </>
      ) : (
        <p className="text-12 text-neutral-11">Only members who can edit the project can answer.</p>
      )}
    </section>
  )
}
