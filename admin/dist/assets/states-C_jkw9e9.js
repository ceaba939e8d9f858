import{D as e}from"./isArrayLike-Cu-Yp5qu.js";import{Fr as t,Kn as n,M as r,Mr as i,Mt as a,Pr as o,Pt as s,Rr as c,U as l,Zt as u,dn as d,fn as f,jt as p,s as m,un as h,yt as g}from"./client-DqOAR_jB.js";import{n as _}from"./Link-Bh3QEvE8.js";function v(e){return String(e).match(/[\d.\-+]*\s*(.*)/)[1]||``}function y(e){return parseFloat(e)}var b=e(c(),1);function x(e){return d(`MuiSkeleton`,e)}h(`MuiSkeleton`,[`root`,`text`,`rectangular`,`rounded`,`circular`,`pulse`,`wave`,`withChildren`,`fitContent`,`heightAuto`]);var S=i(),C=e=>{let{classes:t,variant:n,animation:r,hasChildren:i,width:a,height:o}=e;return u({root:[`root`,n,r,i&&`withChildren`,i&&!a&&`fitContent`,i&&!o&&`heightAuto`]},x,t)},w=t`
  0% {
    opacity: 1;
  }

  50% {
    opacity: 0.4;
  }

  100% {
    opacity: 1;
  }
`,T=t`
  0% {
    transform: translateX(-100%);
  }

  50% {
    /* +0.5s of delay between each loop */
    transform: translateX(100%);
  }

  100% {
    transform: translateX(100%);
  }
`,E=typeof w==`string`?null:o`
        animation: ${w} 2s ease-in-out 0.5s infinite;
      `,D=typeof T==`string`?null:o`
        &::after {
          animation: ${T} 2s linear 0.5s infinite;
        }
      `,O=s(`span`,{name:`MuiSkeleton`,slot:`Root`,overridesResolver:(e,t)=>{let{ownerState:n}=e;return[t.root,t[n.variant],n.animation!==!1&&t[n.animation],n.hasChildren&&t.withChildren,n.hasChildren&&!n.width&&t.fitContent,n.hasChildren&&!n.height&&t.heightAuto]}})(a(({theme:e})=>{let t=v(e.shape.borderRadius)||`px`,n=y(e.shape.borderRadius),r=g(e,{animation:`none`}),i=g(e,{"&::after":{animation:`none`,display:`none`}});return{display:`block`,backgroundColor:e.vars?e.vars.palette.Skeleton.bg:e.alpha(e.palette.text.primary,e.palette.mode===`light`?.11:.13),height:`1.2em`,variants:[{props:{variant:`text`},style:{marginTop:0,marginBottom:0,height:`auto`,transformOrigin:`0 55%`,transform:`scale(1, 0.60)`,borderRadius:`${n}${t}/${Math.round(n/.6*10)/10}${t}`,"&:empty:before":{content:`"\\00a0"`}}},{props:{variant:`circular`},style:{borderRadius:`50%`}},{props:{variant:`rounded`},style:{borderRadius:(e.vars||e).shape.borderRadius}},{props:({ownerState:e})=>e.hasChildren,style:{"& > *":{visibility:`hidden`}}},{props:({ownerState:e})=>e.hasChildren&&!e.width,style:{maxWidth:`fit-content`}},{props:({ownerState:e})=>e.hasChildren&&!e.height,style:{height:`auto`}},{props:{animation:`pulse`},style:E||{animation:`${w} 2s ease-in-out 0.5s infinite`}},...r?[{props:{animation:`pulse`},style:r}]:[],{props:{animation:`wave`},style:{position:`relative`,overflow:`hidden`,WebkitMaskImage:`-webkit-radial-gradient(white, black)`,"&::after":{background:`linear-gradient(
                90deg,
                transparent,
                ${(e.vars||e).palette.action.hover},
                transparent
              )`,content:`""`,position:`absolute`,transform:`translateX(-100%)`,bottom:0,left:0,right:0,top:0}}},{props:{animation:`wave`},style:D||{"&::after":{animation:`${T} 2s linear 0.5s infinite`}}},...i?[{props:{animation:`wave`},style:i}]:[]]}})),k=b.forwardRef(function(e,t){let n=p({props:e,name:`MuiSkeleton`}),{animation:r=`pulse`,className:i,component:a=`span`,height:o,style:s,variant:c=`text`,width:l,...u}=n,d={...n,animation:r,component:a,variant:c,hasChildren:!!u.children},m=C(d);return(0,S.jsx)(O,{as:a,ref:t,className:f(m.root,i),ownerState:d,...u,style:{width:l,height:o,...s}})});function A({lines:e=6}){let t=n();return(0,S.jsx)(_,{spacing:1,role:`status`,"aria-label":t(`state.loading`),sx:{p:2},children:Array.from({length:e},(e,t)=>(0,S.jsx)(k,{variant:`rounded`,height:36},t))})}function j({error:e,onAgain:t}){let i=n(),a=m();return(0,S.jsxs)(l,{severity:`error`,sx:{m:2},action:(0,S.jsx)(r,{color:`inherit`,onClick:t,children:i(`act.again`)}),children:[i(`state.failed`),` `,a(e)]})}export{A as n,j as t};