import{D as e}from"./isArrayLike-Cu-Yp5qu.js";import{N as t}from"./index-Bf_sttOY.js";import{Bn as n,Dt as r,Er as i,Et as a,Kt as o,Lr as s,Rr as c,Vr as l,_n as u,an as d,fn as f,gn as p,hn as m,in as h,k as g,kt as _,mt as v,nn as y,on as b,pn as x,r as S,sn as C,t as w,un as T,vn as E}from"./error-messages-C72TXY7-.js";var D=h(),O=e(l(),1),k=i(),A=T(),j=D(`div`,{name:`MuiStack`,slot:`Root`});function M(e){return y({props:e,name:`MuiStack`,defaultTheme:A})}function N(e,t){let n=O.Children.toArray(e).filter(Boolean);return n.reduce((e,r,i)=>(e.push(r),i<n.length-1&&e.push(O.cloneElement(t,{key:`separator-${i}`})),e),[])}var P=e=>({row:`Left`,"row-reverse":`Right`,column:`Top`,"column-reverse":`Bottom`})[e],F=({ownerState:e,theme:t})=>{let n={display:`flex`,flexDirection:`column`,...m({theme:t},u({values:e.direction,breakpoints:t.breakpoints.values}),e=>({flexDirection:e}))};if(e.spacing){let r=f(t),i=Object.keys(t.breakpoints.values).reduce((t,n)=>((typeof e.spacing==`object`&&e.spacing[n]!=null||typeof e.direction==`object`&&e.direction[n]!=null)&&(t[n]=!0),t),{}),a=u({values:e.direction,base:i}),o=u({values:e.spacing,base:i});typeof a==`object`&&Object.keys(a).forEach((e,t,n)=>{if(!a[e]){let r=t>0?a[n[t-1]]:`column`;a[e]=r}}),n=E(n,m({theme:t},o,(t,n)=>e.useFlexGap?{gap:x(r,t)}:{"& > :not(style):not(style)":{margin:0},"& > :not(style) ~ :not(style)":{[`margin${P(n?a[n]:e.direction)}`]:x(r,t)}}))}return n=p(t.breakpoints,n),n};function I(e={}){let{createStyledComponent:t=j,useThemeProps:n=M,componentName:r=`MuiStack`}=e,i=()=>o({root:[`root`]},e=>b(r,e),{}),a=t(F);return O.forwardRef(function(e,t){let{component:r=`div`,direction:o=`column`,spacing:s=0,divider:c,children:l,className:u,useFlexGap:d=!1,...f}=n(e),p={direction:o,spacing:s,useFlexGap:d},m=i();return(0,k.jsx)(a,{as:r,ownerState:p,ref:t,className:C(m.root,u),...f,children:c?N(l,c):l})})}function L(e){return String(e).match(/[\d.\-+]*\s*(.*)/)[1]||``}function R(e){return parseFloat(e)}function z(e){return b(`MuiSkeleton`,e)}d(`MuiSkeleton`,[`root`,`text`,`rectangular`,`rounded`,`circular`,`pulse`,`wave`,`withChildren`,`fitContent`,`heightAuto`]);var B=e=>{let{classes:t,variant:n,animation:r,hasChildren:i,width:a,height:s}=e;return o({root:[`root`,n,r,i&&`withChildren`,i&&!a&&`fitContent`,i&&!s&&`heightAuto`]},z,t)},V=c`
  0% {
    opacity: 1;
  }

  50% {
    opacity: 0.4;
  }

  100% {
    opacity: 1;
  }
`,H=c`
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
`,U=typeof V==`string`?null:s`
        animation: ${V} 2s ease-in-out 0.5s infinite;
      `,W=typeof H==`string`?null:s`
        &::after {
          animation: ${H} 2s linear 0.5s infinite;
        }
      `,G=_(`span`,{name:`MuiSkeleton`,slot:`Root`,overridesResolver:(e,t)=>{let{ownerState:n}=e;return[t.root,t[n.variant],n.animation!==!1&&t[n.animation],n.hasChildren&&t.withChildren,n.hasChildren&&!n.width&&t.fitContent,n.hasChildren&&!n.height&&t.heightAuto]}})(r(({theme:e})=>{let t=L(e.shape.borderRadius)||`px`,n=R(e.shape.borderRadius),r=v(e,{animation:`none`}),i=v(e,{"&::after":{animation:`none`,display:`none`}});return{display:`block`,backgroundColor:e.vars?e.vars.palette.Skeleton.bg:e.alpha(e.palette.text.primary,e.palette.mode===`light`?.11:.13),height:`1.2em`,variants:[{props:{variant:`text`},style:{marginTop:0,marginBottom:0,height:`auto`,transformOrigin:`0 55%`,transform:`scale(1, 0.60)`,borderRadius:`${n}${t}/${Math.round(n/.6*10)/10}${t}`,"&:empty:before":{content:`"\\00a0"`}}},{props:{variant:`circular`},style:{borderRadius:`50%`}},{props:{variant:`rounded`},style:{borderRadius:(e.vars||e).shape.borderRadius}},{props:({ownerState:e})=>e.hasChildren,style:{"& > *":{visibility:`hidden`}}},{props:({ownerState:e})=>e.hasChildren&&!e.width,style:{maxWidth:`fit-content`}},{props:({ownerState:e})=>e.hasChildren&&!e.height,style:{height:`auto`}},{props:{animation:`pulse`},style:U||{animation:`${V} 2s ease-in-out 0.5s infinite`}},...r?[{props:{animation:`pulse`},style:r}]:[],{props:{animation:`wave`},style:{position:`relative`,overflow:`hidden`,WebkitMaskImage:`-webkit-radial-gradient(white, black)`,"&::after":{background:`linear-gradient(
                90deg,
                transparent,
                ${(e.vars||e).palette.action.hover},
                transparent
              )`,content:`""`,position:`absolute`,transform:`translateX(-100%)`,bottom:0,left:0,right:0,top:0}}},{props:{animation:`wave`},style:W||{"&::after":{animation:`${H} 2s linear 0.5s infinite`}}},...i?[{props:{animation:`wave`},style:i}]:[]]}})),K=O.forwardRef(function(e,t){let n=a({props:e,name:`MuiSkeleton`}),{animation:r=`pulse`,className:i,component:o=`span`,height:s,style:c,variant:l=`text`,width:u,...d}=n,f={...n,animation:r,component:o,variant:l,hasChildren:!!d.children},p=B(f);return(0,k.jsx)(G,{as:o,ref:t,className:C(p.root,i),ownerState:f,...d,style:{width:u,height:s,...c}})}),q=I({createStyledComponent:_(`div`,{name:`MuiStack`,slot:`Root`}),useThemeProps:e=>a({props:e,name:`MuiStack`})});function J({lines:e=6}){let t=n();return(0,k.jsx)(q,{spacing:1,role:`status`,"aria-label":t(`state.loading`),sx:{p:2},children:Array.from({length:e},(e,t)=>(0,k.jsx)(K,{variant:`rounded`,height:36},t))})}function Y({error:e,onRetry:r,title:i}){let a=n(),o=w();return(0,k.jsxs)(k.Fragment,{children:[i!==void 0&&(0,k.jsx)(S,{title:a(i)}),(0,k.jsxs)(t,{severity:`error`,sx:{m:2},action:(0,k.jsx)(g,{color:`inherit`,onClick:r,children:a(`button.retry`)}),children:[a(`state.failed`),` `,o(e)]})]})}export{J as n,q as r,Y as t};