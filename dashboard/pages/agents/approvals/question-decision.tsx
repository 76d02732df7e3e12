import { useState } from 'react'
import type { Approval } from '../../../api/approvals.ts'
import { failureMessage } from '../../../api/explain.ts'
import { Button } from '../../../components/button.tsx'
import { choicesIn, questionIn } from '../../../components/conversation/question-input.ts'
import { FormFailure } from '../../../components/failure.tsx'
import { submitOnModEnter, TextArea } from '../../../components/forms/field.tsx'
import { useDecide } from './use-decide.ts'

interface QuestionDecisionProps {
  approval: Approval
  onDecided: () => void
}

const ANSWER_MAX = 10_000

/** The answer to a question of an agent. */
export function QuestionDecision({ approval, onDecided }: QuestionDecisionProps) {
  const { input, canDecide } = approval
  const [answer, setAnswer] = useState('')
  const decide = useDecide(approval, onDecided)
  const choices = choicesIn(input)
  return (
    <>
      <h2 className="wrap-anywhere whitespace-pre-wrap font-medium">{questionIn(approval)}</h2>
      <FormFailure>{failureMessage(decide.error)}</FormFailure>
      {canDecide && (
        <form
          className="flex flex-col gap-12"
          onSubmit={(event) => {
            event.preventDefault()
            if (answer.trim() && !decide.isPending) decide.mutate({ decision: 'approve', answer })
          }}
        >
          {choices.length > 0 && (
            <div className="flex flex-wrap gap-8">
              {choices.map((choice) => (
                <Button
                  key={choice}
                  busy={decide.isPending && decide.variables.answer === choice}
                  onClick={() => decide.mutate({ decision: 'approve', answer: choice })}
                >
                  {choice}
                </Button>
              ))}
            </div>
          )}
          <TextArea
            label={choices.length > 0 ? 'Another answer' : 'Answer'}
            rows={2}
            limit={ANSWER_MAX}
            data-answer
            value={answer}
            onChange={(event) => setAnswer(event.target.value)}
            onKeyDown={submitOnModEnter}
          />
          <div className="flex gap-8">
            <Button look="primary" type="submit" disabled={!answer.trim()} busy={decide.isPending}>
              Answer
            </Button>
            <Button data-deny busy={decide.isPending} onClick={() => decide.mutate({ decision: 'deny' })}>
              Do not answer
            </Button>
          </div>
        </form>
      )}
    </>
  )
}
