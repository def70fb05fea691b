import './shell/frame/base.css'

import { mount } from 'svelte'

import App from './App.svelte'

const target = document.getElementById('app')!
target.replaceChildren() // the frame that the page came with
mount(App, { target })
