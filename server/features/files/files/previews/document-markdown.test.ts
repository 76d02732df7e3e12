import { expect, test } from 'vitest'
import { renderMarkdown } from './document-markdown.ts'
import type { RenderJob } from './job.ts'

const JOB: RenderJob = {
  format: 'markdown',
  mimeType: 'text/markdown',
  language: null,
  isPartial: false,
  textBytesMax: 10_000,
}
const htmlOf = (source: string) => renderMarkdown(Buffer.from(source), JOB).html

test('a task list shows boxes, and a list with brackets stays a list', () => {
  expect(htmlOf('- [x] Sent\n- [ ] **Open**\n- [link](https://atrium.example) [x] later')).toBe(
    `<ul>
<li class="task">☑ Sent</li>
<li class="task">☐ <strong>Open</strong></li>
<li><a href="https://atrium.example" rel="noopener noreferrer nofollow" target="_blank">link</a> [x] later</li>
</ul>
`,
  )
})
