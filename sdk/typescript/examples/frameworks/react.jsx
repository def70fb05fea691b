import '@stowboard/client/elements'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'

import { readyAsset } from './ready.js'

// React 19 and later sets properties of elements and listens to their events.
function Photos() {
  const [photos, setPhotos] = useState([])
  const add = async ({ detail }) => {
    const asset = await readyAsset(detail.id)
    setPhotos((before) => [...before, asset])
  }
  return (
    <>
      <stow-upload address="/upload-address" accept="image/*" multiple onstow-uploaded={add}>
        Add your photos
      </stow-upload>
      {photos.map((asset) => (
        <stow-image key={asset.id} asset={asset} sizes="20rem"></stow-image>
      ))}
    </>
  )
}

createRoot(document.querySelector('#app')).render(<Photos />)
