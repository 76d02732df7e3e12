import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { TextArea } from '../../../components/forms/field.tsx'
import { Segments } from '../../../components/layout/segments.tsx'
import { Markdown } from '../../../components/markdown/markdown.tsx'
import { labelInSentence } from '../../../state/label-in-sentence.ts'

const VIEWS = [
  { value: 'edit', label: t`Edit` },
  { value: 'preview', label: t`Preview` },
] as const

interface TextWithPreviewProps {
  label: string
  limit: number
  isMarkdown: boolean
  value: string
  error?: string
  onChange: (text: string) => void
}

export function TextWithPreview({ label, limit, isMarkdown, value, error, onChange }: TextWithPreviewProps) {
  const [isPreview, setPreview] = useState(false)
  return (
    <div className="flex min-w-0 flex-col gap-8">
      {isMarkdown && (
        <Segments
          label={t`View: ${labelInSentence(label)}`}
          value={isPreview ? 'preview' : 'edit'}
          options={VIEWS}
          onChoose={(view) => setPreview(view === 'preview')}
        />
      )}
      {isPreview ? (
        <div className="min-w-0 rounded-control border border-neutral-6 px-12 py-8">
          <Markdown text={value} />
        </div>
      ) : (
        <TextArea
          label={label}
          rows={20}
          limit={limit}
          spellCheck={isMarkdown}
          className="font-mono sm:text-13!"
          value={value}
          error={error}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </div>
  )
}
