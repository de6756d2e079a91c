import './wide-content.css';

export { default } from 'vitepress/theme-without-fonts';
