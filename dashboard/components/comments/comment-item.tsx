import { Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../../contract/text.ts'
import { textWithNames } from '../../../contract/text-with-names.ts'
import { type Comment, refreshComments } from '../../api/comments.ts'
import { shortMessage } from '../../api/explain.ts'
import { Badge } from '../badge.tsx'
import { Button } from '../button.tsx'
import { PersonFace } from '../faces.tsx'
import { Markdown } from '../markdown/markdown.tsx'
import { Menu, MenuItem } from '../menu.tsx'
import { Name } from '../name.tsx'
import { Time } from '../time.tsx'
import { toast } from '../toast.tsx'
import { toMarkdown } from './comment-text.ts'
import { Composer, useCommenting } from './composer.tsx'

export function CommentItem({ comment }: { comment: Comment }) {
  const { api } = useCommenting()
  const [mode, setMode] = useState<'read' | 'edit' | 'delete'>('read')
  const { id, author, body, mentions } = comment
  const save = async (next: string) => {
    await api.comments.update({ id, body: next })
    await refreshComments()
    setMode('read')
  }
  const remove = async () => {
    try {
      await api.comments.remove({ id })
      await refreshComments()
    } catch (error) {
      toast(shortMessage(error))
      setMode('read')
    }
  }
  if (comment.deleted) return <p className="text-13 text-neutral-11 italic">This comment was deleted.</p>
  return (
    <article aria-label={textWithNames`Comment by ${author.name}`} className="flex flex-col gap-4">
      <header className="flex min-h-24 items-center gap-8 text-13">
        <PersonFace person={{ id: author.id ?? author.name, name: author.name }} size={24} />
        <span className="min-w-0 truncate font-medium">
          <Name>{author.name}</Name>
        </span>
        {author.guest && <Badge>guest</Badge>}
        <span className="whitespace-nowrap text-12 text-neutral-11">
          <Time at={comment.createdAt} />
          {comment.editedAt && t` · edited`}
        </span>
        {mode === 'read' && (comment.canEdit || comment.canDelete) && (
          <span className="ml-auto">
            <Menu
              trigger={
                <Button look="quiet" size="small-icon" aria-label="Comment actions">
                  <Ellipsis aria-hidden className="icon" />
                </Button>
              }
            >
              {comment.canEdit && (
                <MenuItem onSelect={() => setMode('edit')}>
                  <Pencil aria-hidden className="icon text-neutral-11" />
                  Edit
                </MenuItem>
              )}
              {comment.canDelete && (
                <MenuItem onSelect={() => setMode('delete')}>
                  <Trash2 aria-hidden className="icon text-neutral-11" />
                  Delete
                </MenuItem>
              )}
            </Menu>
          </span>
        )}
      </header>
      {mode === 'edit' ? (
        <Composer
          takesFocus
          label="Edit comment"
          action="Save"
          editedComment={{ body, mentions }}
          onSubmit={save}
          onCancel={() => setMode('read')}
        />
      ) : (
        <div className="break-words text-13">
          <Markdown text={toMarkdown(body, mentions)} />
        </div>
      )}
      {mode === 'delete' && (
        <div
          role="alert"
          className="flex flex-wrap items-center gap-8 rounded-control bg-neutral-3 px-8 py-4 text-13"
        >
          <span className="flex-1">Delete this comment for everyone?</span>
          <Button look="quiet" size="small" onClick={() => setMode('read')}>
            Cancel
          </Button>
          <Button look="danger" size="small" onClick={remove}>
            Delete
          </Button>
        </div>
      )}
    </article>
  )
}
