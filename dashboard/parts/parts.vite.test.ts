import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Parts } from './parts.tsx'

test('the parts page shows every part in both themes', () => {
  const html = renderToStaticMarkup(createElement(Parts))
  for (const theme of ['light', 'dark']) expect(html).toContain(`data-theme="${theme}"`)
  for (const part of ['Colors', 'Type', 'Faces', 'Buttons', 'Fields', 'Meanings', 'Lists', 'States'])
    expect(html.split(`aria-label="${part}"`)).toHaveLength(3)
})
